package dev.latchkey.auth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.GrantReader;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RegisteredCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two plugins in one login: the result has the questions and the answers of both. */
class LoginPipelineTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Subject ADA =
            Subject.of("ada").withAuthorities("ROLE_USER").withClaim("tenant", "north");
    private static final PasswordCredentials PASSWORD = new PasswordCredentials("ada", Secret.of("right"));
    private static final Rejected WRONG = Rejected.because(RejectionReason.BAD_CREDENTIALS);

    private final List<String> calls = new ArrayList<>();

    private static AuthChain chain(AuthPlugin... plugins) {
        return AuthChain.of(List.of(plugins), () -> NOW);
    }

    private static Verdict answer(AuthChain chain, Verdict challenge, String code) {
        assertThat(challenge).isInstanceOf(Challenged.class);
        return chain.authenticate(new ChallengeResponse((Challenged) challenge, Secret.of(code)));
    }

    @Test
    void twoSteps_areBothWanted_inOrder_andBothAreFactors() {
        AuthChain chain = chain(source("users"), new Code("codes", "otp"), new Code("keys", "hwk"));
        Verdict first = chain.authenticate(PASSWORD);
        assertThat(((Challenged) first).plugin()).isEqualTo("codes");
        Verdict second = answer(chain, first, "codes");
        assertThat(((Challenged) second).plugin()).isEqualTo("keys");
        assertThat(((Challenged) second).passed()).containsExactly("codes");
        Authenticated login = (Authenticated) answer(chain, second, "keys");
        assertThat(login.factors()).isEqualTo(Factors.of(NOW, "pwd", "otp", "hwk"));
    }

    @Test
    void secondOfTwoSteps_isNotPassedByTheFirstOnesCode() {
        AuthChain chain = chain(source("users"), new Code("codes", "otp"), new Code("keys", "hwk"));
        Verdict second = answer(chain, chain.authenticate(PASSWORD), "codes");
        assertThat(answer(chain, second, "codes")).isEqualTo(WRONG);
    }

    @Test
    void sourceThatChallengesByItself_doesNotSwitchOffTheStepOfTheService() {
        AuthChain chain = chain(new Pin(), new Code("codes", "otp"));
        Verdict pin = chain.authenticate(PASSWORD);
        assertThat(((Challenged) pin).method()).isEqualTo("pin");
        Verdict code = answer(chain, pin, "pin");
        assertThat(((Challenged) code).method()).isEqualTo("otp");
        Authenticated login = (Authenticated) answer(chain, code, "codes");
        assertThat(login.factors()).isEqualTo(Factors.of(NOW, "pwd", "pin", "otp"));
    }

    @Test
    void sourceThatChallengesAndCannotCheckTheResponse_isBroken() {
        AuthChain chain = chain(ScriptedPlugin.named("users").answering(Challenged.by(Authenticated.as(ADA), "pin")));
        assertThatExceptionOfType(AuthPluginException.class).isThrownBy(() -> chain.authenticate(PASSWORD));
    }

    @Test
    void stepFollowsEachLogin_andNoIssuedCredentials() {
        AuthChain chain = chain(source("users"), new Code("codes", "otp"));
        assertThat(chain.authenticate(new Ticket())).isInstanceOf(Challenged.class);
        assertThat(chain.authenticate(BearerToken.of("a.b.c"))).isInstanceOf(Authenticated.class);
    }

    @Test
    void additionsOfAStep_joinTheLogin_andReplaceNothing() {
        Code step = new Code("codes", "otp");
        step.passed = Passed.step()
                .withAuthorities(Set.of("ROLE_STRONG"))
                .withClaims(Map.of("tenant", "south", "device", "phone"))
                .withFactors("hwk")
                .until(NOW.plusSeconds(60));
        AuthChain chain = chain(source("users"), step);
        Authenticated login = (Authenticated) answer(chain, chain.authenticate(PASSWORD), "codes");
        assertThat(login.subject().id()).isEqualTo("ada");
        assertThat(login.subject().authorities()).containsExactlyInAnyOrder("ROLE_USER", "ROLE_STRONG");
        assertThat(login.subject().claims()).isEqualTo(Map.of("tenant", "north", "device", "phone"));
        assertThat(login.factors().methods()).containsExactlyInAnyOrder("pwd", "otp", "hwk");
        assertThat(login.validUntil()).isEqualTo(NOW.plusSeconds(60));
    }

    @Test
    void sourceThatNamesItsOwnFactors_keepsThePassword_andTheEarlierTime() {
        Factors own = Factors.of(NOW.minusSeconds(9), "kba");
        AuthChain chain = chain(
                ScriptedPlugin.named("users").answering(Authenticated.as(ADA).withFactors(own)));
        assertThat(((Authenticated) chain.authenticate(PASSWORD)).factors())
                .isEqualTo(Factors.of(NOW.minusSeconds(9), "pwd", "kba"));
    }

    @Test
    void stepThatAddsMoreThanALoginCanHave_isBroken() {
        Code step = new Code("codes", "otp");
        step.passed = Passed.step().withFactors("1", "2", "3", "4", "5", "6", "7", "8");
        AuthChain chain = chain(source("users"), step);
        Verdict challenge = chain.authenticate(PASSWORD);
        assertThatExceptionOfType(AuthPluginException.class).isThrownBy(() -> answer(chain, challenge, "codes"));
    }

    @Test
    void parameters_reachTheClient_andTheStateDoesNot() {
        Challenged challenge = Challenged.by(Authenticated.as(ADA), "hwk")
                .withParameter("nonce", "abc")
                .withParameter("keys", List.of("k1", "k2"))
                .withParameter("timeout", 60)
                .withState(Secret.of("state"));
        assertThat(challenge.parameters())
                .isEqualTo(Map.of("nonce", "abc", "keys", List.of("k1", "k2"), "timeout", 60L));
        assertThat(challenge).hasToString("Challenged[method=hwk, plugin=]");
        assertThatIllegalArgumentException().isThrownBy(() -> challenge.withParameter("long", "x".repeat(2_048)));
    }

    @Test
    void fieldsOfAResponse_reachTheStep_andPrintNothing() {
        Challenged challenge = Challenged.by(Authenticated.as(ADA), "hwk");
        ChallengeResponse response = new ChallengeResponse(
                challenge, Map.of("signature", Secret.of("s3cret"), "credential_id", Secret.of("id")));
        assertThat(response.field("signature").orElseThrow().matches(Secret.of("s3cret")))
                .isTrue();
        assertThat(response.code()).isEmpty();
        assertThat(response.toString()).doesNotContain("s3cret");
    }

    @Test
    void rememberedDevice_skipsTheStepOfALogin_andNotOfALastingChange() {
        Code step = new Code("codes", "otp");
        step.knowsDevice = true;
        AuthChain chain = chain(source("users"), step);
        assertThat(((Authenticated) chain.authenticate(PASSWORD)).factors().methods())
                .containsExactly("pwd");
        RequestContext none = RequestContext.none();
        assertThat(chain.prove(PASSWORD, Map.of(), none, added -> {})).isEqualTo(WRONG);
        Verdict proved = chain.prove(PASSWORD, Map.of("code", Secret.of("codes")), none, added -> {});
        assertThat(((Authenticated) proved).factors().methods()).containsExactlyInAnyOrder("pwd", "otp");
    }

    @Test
    void proof_showsItsFieldsToEachStepOnce() {
        Code codes = new Code("codes", "otp");
        Code keys = new Code("keys", "hwk");
        keys.code = "codes";
        AuthChain chain = chain(source("users"), codes, keys);
        Verdict proved = chain.prove(PASSWORD, Map.of("code", Secret.of("codes")), RequestContext.none(), added -> {});
        assertThat(((Authenticated) proved).factors().methods()).containsExactlyInAnyOrder("pwd", "otp", "hwk");
        assertThat(calls).containsExactly("codes.answer", "keys.answer");
    }

    @Test
    void subjectsOfTwoSources_withOneId_areTwoSubjects() {
        AuthChain chain = chain(source("users", PasswordCredentials.class), source("exchange", Ticket.class));
        assertThat(((Authenticated) chain.authenticate(PASSWORD)).subject().id())
                .isEqualTo("ada");
        Authenticated exchanged = (Authenticated) chain.authenticate(new Ticket());
        assertThat(exchanged.subject().id()).isEqualTo("exchange:ada");
        assertThat(exchanged.plugin()).isEqualTo("exchange");
    }

    @Test
    void registeredCredentials_keepTheIdOfTheService_andWantSteps() {
        AuthChain chain = chain(
                source("users", PasswordCredentials.class),
                ScriptedPlugin.named("passkeys")
                        .supporting(Registered.class)
                        .answering(Authenticated.as(Subject.of("exchange:ada"))),
                source("exchange", Ticket.class),
                new Code("codes", "otp"));
        assertThat(chain.authenticate(new Registered()))
                .isInstanceOfSatisfying(
                        Challenged.class,
                        wanted -> assertThat(wanted.soFar().subject().id()).isEqualTo("exchange:ada"));
    }

    @Test
    void registeredCredentialsOfAnotherParty_haveThePrefixOfTheirSource_beforeEachStep() {
        AuthChain chain = chain(
                        source("users", PasswordCredentials.class),
                        source("keys", Registered.class),
                        new Code("codes", "otp"))
                .withSharedSubjectsAlone(Set.of("users"));
        assertThat(chain.authenticate(new Registered()))
                .isInstanceOfSatisfying(
                        Challenged.class,
                        wanted -> assertThat(wanted.soFar().subject().id()).isEqualTo("keys:ada"));
        assertThat(chain.authenticate(PASSWORD))
                .isInstanceOfSatisfying(
                        Challenged.class,
                        wanted -> assertThat(wanted.soFar().subject().id()).isEqualTo("ada"));
    }

    @Test
    void subjectsOfSharedSources_areOne() {
        AuthChain chain = chain(source("users", PasswordCredentials.class), source("exchange", Ticket.class))
                .withSharedSubjects(Set.of("users", "exchange"));
        assertThat(((Authenticated) chain.authenticate(new Ticket())).subject().id())
                .isEqualTo("ada");
    }

    @Test
    void outsideSources_stay_whicheverNamesComeFirst() {
        AuthChain chain =
                chain(source("users")).withOutsideSources(Set.of("oauth2")).withSharedSubjects(Set.of("users"));
        assertThat(chain.outsideLogins().isForeignName("oauth2:ada")).isTrue();
    }

    @Test
    void localAccount_namedLikeASubjectOfAnotherSource_isRejected() {
        AuthChain chain = chain(
                ScriptedPlugin.named("users")
                        .supporting(PasswordCredentials.class)
                        .answering(Authenticated.as(Subject.of("exchange:ada"))),
                source("exchange", Ticket.class));
        assertThat(chain.authenticate(PASSWORD))
                .isEqualTo(Rejected.because(RejectionReason.MALFORMED).withDetail("ambiguous_subject"));
    }

    @Test
    void idOfAnotherSource_thatBecomesTooLong_isRejected() {
        AuthChain chain = chain(
                source("users", PasswordCredentials.class),
                ScriptedPlugin.named("exchange")
                        .supporting(Ticket.class)
                        .answering(Authenticated.as(Subject.of("a".repeat(250)))));
        assertThat(chain.authenticate(new Ticket())).isInstanceOf(Rejected.class);
    }

    @Test
    void account_isAskedByTheIdOfItsSource_andAnsweredByTheIdOfTheService() {
        ScriptedPlugin exchange = ScriptedPlugin.named("exchange", calls)
                .supporting(Ticket.class)
                .knowing(Authenticated.as(ADA).withStamp(Secret.of("stamp")));
        AuthChain chain = chain(source("users", PasswordCredentials.class), exchange);
        Verdict account =
                chain.decidedLogins().account("exchange", "exchange:ada").orElseThrow();
        assertThat(((Authenticated) account).subject().id()).isEqualTo("exchange:ada");
        assertThat(chain.decidedLogins().account("exchange", "ada")).isEmpty();
        assertThat(calls).containsExactly("exchange.account ada");
    }

    /**
     * Otherwise a local account of this name would stand for the account of the other source, when an actor acts as
     * the latter.
     */
    @Test
    void subjectOfAnotherSource_isNoAccountOfTheSourceWithoutAPrefix() {
        ScriptedPlugin users = ScriptedPlugin.named("users", calls)
                .supporting(PasswordCredentials.class)
                .knowing(Authenticated.as(Subject.of("exchange:ada")));
        AuthChain chain = chain(users, source("exchange", Ticket.class));
        assertThat(chain.decidedLogins().account("users", "exchange:ada")).isEmpty();
        assertThat(calls).isEmpty();
    }

    /** The answer of the source is another account than the asked one, and the service could not name it. */
    @Test
    void accountWithTheNameOfAnotherSource_isNoAccount() {
        ScriptedPlugin users = ScriptedPlugin.named("users", calls)
                .supporting(PasswordCredentials.class)
                .knowing(Authenticated.as(Subject.of("exchange:ada")));
        AuthChain chain = chain(users, source("exchange", Ticket.class));
        assertThat(chain.decidedLogins().account("users", "ada")).isEmpty();
        assertThat(calls).containsExactly("users.account ada");
    }

    @Test
    void rejectedPassword_costsOtherSourcesAsMuchAsAnUnknownName() {
        AuthChain chain =
                chain(ScriptedPlugin.named("directory", calls).answering(WRONG), ScriptedPlugin.named("users", calls));
        assertThat(chain.authenticate(PASSWORD)).isEqualTo(WRONG);
        assertThat(calls).containsExactly("directory.authenticate", "users.unrecognized");
    }

    @Test
    void rejection_stands_forAllAnswersOfOtherSources() {
        ScriptedPlugin down = ScriptedPlugin.named("directory").atTheEnd(() -> {
            throw AuthUnavailableException.outage("down");
        });
        assertThat(chain(ScriptedPlugin.named("users").answering(WRONG), down).authenticate(PASSWORD))
                .isEqualTo(WRONG);
    }

    @Test
    void grant_isShownToThePluginThatReadsItsType_andToNoOther() {
        AuthChain chain = chain(source("users"), new Broken(), new Magic());
        assertThat(chain.readers().of("urn:example:magic", Map.of(), RequestContext.none()))
                .isPresent();
        assertThat(chain.readers().of("urn:example:other", Map.of(), RequestContext.none()))
                .isEmpty();
        assertThat(chain.readers().grantTypes()).containsExactlyInAnyOrder("urn:example:magic", "urn:example:broken");
        assertThatExceptionOfType(AuthPluginException.class)
                .isThrownBy(() -> chain.readers().of("urn:example:broken", Map.of(), RequestContext.none()));
    }

    /** The token endpoint issues no tokens for them: the grant would never log in, and nobody would see why. */
    @Test
    void grantReader_thatReadsIssuedCredentials_isBroken() {
        AuthChain chain = chain(source("users"), new Magic() {
            @Override
            public Optional<Credentials> read(String grantType, Map<String, Secret> fields, RequestContext context) {
                return Optional.of(new BearerToken(Secret.of("token")));
            }
        });
        assertThatExceptionOfType(AuthPluginException.class)
                .isThrownBy(() -> chain.readers().of("urn:example:magic", Map.of(), RequestContext.none()))
                .withMessageContaining("magic")
                .withMessageContaining("IssuedCredentials");
    }

    @Test
    void grantTypeOfTwoPlugins_isAMistake() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AuthChain.of(new Magic(), new Magic() {
                    @Override
                    public String name() {
                        return "more-magic";
                    }
                }))
                .withMessageContaining("'magic' and 'more-magic'")
                .withMessageContaining("urn:example:magic");
    }

    private ScriptedPlugin source(String name) {
        return ScriptedPlugin.named(name).answering(Authenticated.as(ADA));
    }

    private ScriptedPlugin source(String name, Class<? extends Credentials> kind) {
        return source(name).supporting(kind);
    }

    private record Ticket() implements Credentials {}

    private record Registered() implements RegisteredCredentials {}

    /** Wants its own name as a code of every login. */
    private class Code implements LoginStep {

        private final String name;
        private final String method;
        private String code;
        private Passed passed = Passed.step();
        private boolean knowsDevice;

        Code(String name, String method) {
            this.name = name;
            this.method = method;
            this.code = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return Optional.of(Challenged.by(login, method));
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            calls.add(name + ".answer");
            boolean isRight = response.code()
                    .filter(shown -> shown.matches(Secret.of(code)))
                    .isPresent();
            return isRight ? passed : WRONG;
        }

        @Override
        public boolean knowsDevice(Authenticated login, RequestContext context) {
            return knowsDevice;
        }
    }

    /** A source that wants a PIN after the password. */
    private static final class Pin implements LoginSource<PasswordCredentials>, LoginStep {

        @Override
        public String name() {
            return "pins";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            return Challenged.by(Authenticated.as(ADA), "pin");
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return Optional.empty();
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return response.code().filter(pin -> pin.matches(Secret.of("pin"))).isPresent() ? Passed.step() : WRONG;
        }
    }

    private static class Magic implements GrantReader {

        @Override
        public String name() {
            return "magic";
        }

        @Override
        public Set<String> grantTypes() {
            return Set.of("urn:example:magic");
        }

        @Override
        public Optional<Credentials> read(String grantType, Map<String, Secret> fields, RequestContext context) {
            return Optional.of(new Ticket());
        }
    }

    private static final class Broken implements GrantReader {

        @Override
        public String name() {
            return "broken";
        }

        @Override
        public Set<String> grantTypes() {
            return Set.of("urn:example:broken");
        }

        @Override
        public Optional<Credentials> read(String grantType, Map<String, Secret> fields, RequestContext context) {
            throw new IllegalStateException("broken");
        }
    }
}
