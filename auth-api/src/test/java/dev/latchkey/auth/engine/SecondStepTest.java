package dev.latchkey.auth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Decisions of a chain about logins in two steps. */
class SecondStepTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Subject ADA = Subject.of("ada").withAuthorities("ROLE_USER");
    private static final Credentials PASSWORD = new PasswordCredentials("ada", Secret.of("secret"));

    private final Codes codes = new Codes();
    private final List<Boolean> told = new ArrayList<>();

    private AuthChain chain(Decision ofPasswords) {
        return chain(ofPasswords, NOW);
    }

    private AuthChain chain(Decision ofPasswords, Instant now) {
        return AuthChain.of(
                List.of(
                        ScriptedPlugin.named("users").answering(ofPasswords),
                        codes,
                        ScriptedPlugin.named("last").answering(Rejected.because(RejectionReason.MALFORMED))),
                InstantSource.fixed(now));
    }

    @Test
    void rightPassword_isChallengedByThePluginOfTheStep_forEachSource() {
        assertThat(chain(Authenticated.as(ADA)).authenticate(PASSWORD)).isInstanceOfSatisfying(Challenged.class, it -> {
            assertThat(it.plugin()).isEqualTo("codes");
            assertThat(it.method()).isEqualTo("otp");
            assertThat(it.soFar().plugin()).isEqualTo("users");
            assertThat(it.soFar().factors()).isEqualTo(Factors.of(NOW, "pwd"));
        });
    }

    @Test
    void rightResponse_isTheLoginThatTheFirstPluginDecided_withBothFactors() {
        AuthChain chain = chain(Authenticated.as(ADA).withStamp(Secret.of("stamp")));
        Authenticated login = (Authenticated) respond(chain, "123456");
        assertThat(login.subject()).isEqualTo(ADA);
        assertThat(login.plugin()).isEqualTo("users");
        assertThat(login.factors().methods()).isEqualTo(Set.of("pwd", "otp"));
        assertThat(login.stamp().matches(Secret.of("stamp"))).isTrue();
        assertThat(codes.state.orElseThrow().matches(Secret.of("state"))).isTrue();
    }

    @Test
    void loginThatSomethingElseDecided_isAskedForTheStepToo() {
        AuthChain chain = chain(Authenticated.as(ADA));
        Authenticated login = Authenticated.as(Subject.of("ada"));
        assertThat(chain.outsideLogins().wantedSteps(login, RequestContext.none()))
                .singleElement()
                .satisfies(it -> {
                    assertThat(it.plugin()).isEqualTo("codes");
                    assertThat(it.method()).isEqualTo("otp");
                    assertThat(it.soFar()).isEqualTo(login.withFactors(Factors.of(NOW, "pwd")));
                });
        assertThat(AuthChain.of(ScriptedPlugin.named("users").answering(Authenticated.as(ADA)))
                        .outsideLogins()
                        .wantedSteps(login, RequestContext.none()))
                .isEmpty();
    }

    @Test
    void chainIsDeciding_whileItsPluginsAreAskedAboutAPassword_andNotAfterwards() {
        List<Boolean> seen = new ArrayList<>();
        AuthChain[] chain = new AuthChain[1];
        chain[0] = AuthChain.of(ScriptedPlugin.named("nested").deciding(() -> {
                    seen.add(chain[0].outsideLogins().isWithinChain());
                    return Authenticated.as(ADA);
                }))
                .withListener(event -> {});
        chain[0].authenticate(PASSWORD);
        seen.add(chain[0].outsideLogins().isWithinChain());
        assertThat(seen).containsExactly(true, false);
    }

    @Test
    void wrongResponse_isRejected_andNoOtherPluginIsAsked() {
        assertThat(respond(chain(Authenticated.as(ADA)), "000000"))
                .isEqualTo(Rejected.because(RejectionReason.BAD_CREDENTIALS));
    }

    @Test
    void wrongPassword_isNotChallenged() {
        Rejected wrong = Rejected.because(RejectionReason.BAD_CREDENTIALS);
        assertThat(chain(wrong).authenticate(PASSWORD)).isEqualTo(wrong);
        assertThat(codes.asked).isEmpty();
    }

    @Test
    void tokens_areNotChallenged() {
        assertThat(chain(Authenticated.as(ADA)).authenticate(BearerToken.of("token")))
                .isInstanceOf(Authenticated.class);
        assertThat(codes.asked).isEmpty();
    }

    @Test
    void undecidedStep_admitsNoLogin_andListenersHearOfIt() {
        List<AuthEvent> events = new ArrayList<>();
        AuthChain chain = chain(Authenticated.as(ADA)).withListener(events::add);
        for (Runnable question : questions(chain)) {
            codes.failure = AuthUnavailableException.overload("full", Duration.ofSeconds(1));
            assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(question::run);
            assertThat(events).singleElement().isInstanceOfSatisfying(AuthEvent.Unavailable.class, event -> {
                assertThat(event.plugin()).isEqualTo("codes");
                assertThat(event.kind()).isEqualTo(PasswordCredentials.class);
                assertThat(event.account()).isEqualTo("ada");
                assertThat(event.cause()).isEqualTo(AuthUnavailableException.Kind.OVERLOAD);
            });
            events.clear();
        }
    }

    @Test
    void brokenStep_admitsNoLogin_andListenersHearOfIt() {
        List<AuthEvent> events = new ArrayList<>();
        AuthChain chain = chain(Authenticated.as(ADA)).withListener(events::add);
        for (Runnable question : questions(chain)) {
            codes.failure = new IllegalStateException("broken");
            assertThatExceptionOfType(AuthPluginException.class)
                    .isThrownBy(question::run)
                    .withMessageStartingWith("Plugin 'codes' ");
            assertThat(events).singleElement().isInstanceOfSatisfying(AuthEvent.Failed.class, event -> {
                assertThat(event.plugin()).isEqualTo("codes");
                assertThat(event.kind()).isEqualTo(PasswordCredentials.class);
                assertThat(event.account()).isEqualTo("ada");
            });
            events.clear();
        }
    }

    /** Both ways in which the chain asks for a step. */
    private static List<Runnable> questions(AuthChain chain) {
        return List.of(
                () -> chain.authenticate(PASSWORD),
                () -> chain.outsideLogins().wantedSteps(Authenticated.as(Subject.of("ada")), RequestContext.none()));
    }

    @Test
    void pluginMayWantSeveralResponses_andNamesTheirFactorsWhenThePastOneIsRight() {
        AuthChain chain = chain(Authenticated.as(ADA));
        Challenged first = (Challenged) chain.authenticate(PASSWORD);
        Challenged second = (Challenged) chain.authenticate(new ChallengeResponse(first, Secret.of("next")));
        assertThat(second.soFar().factors().methods()).containsExactly("pwd");
        assertThat(second.method()).isEqualTo("pin");
        Authenticated login = (Authenticated) chain.authenticate(new ChallengeResponse(second, Secret.of("123456")));
        assertThat(login.factors().methods()).containsExactlyInAnyOrder("pwd", "pin");
    }

    @Test
    void loginWhoseTimeIsOverMeanwhile_isRejected() {
        Challenged challenge =
                (Challenged) chain(new Authenticated(ADA, NOW.plusSeconds(5))).authenticate(PASSWORD);
        AuthChain later = chain(Decision.abstained(), NOW.plusSeconds(5));
        assertThat(later.authenticate(new ChallengeResponse(challenge, Secret.of("123456"))))
                .isEqualTo(Rejected.because(RejectionReason.CREDENTIALS_EXPIRED));
    }

    @Test
    void gateStandsBeforeTheFirstStep_andGetsTheResultOfTheSecond() {
        List<String> gated = new ArrayList<>();
        AuthChain chain = chain(Authenticated.as(ADA)).withGate((credentials, account, decision) -> {
            gated.add(account);
            return ((Challenged) decision.get()).whenAnswered(told::add);
        });
        respond(chain, "000000");
        respond(chain, "123456");
        assertThat(gated).containsExactly("ada", "ada");
        assertThat(told).containsExactly(false, true);
    }

    @Test
    void listeners_hearOfTheChallenge_withoutItsSecrets_andCannotAnswerIt() {
        List<AuthEvent> events = new ArrayList<>();
        AuthChain chain = chain(Authenticated.as(ADA).withStamp(Secret.of("stamp")))
                .withGate((credentials, account, decision) -> ((Challenged) decision.get()).whenAnswered(told::add))
                .withListener(events::add);
        chain.authenticate(PASSWORD);
        Challenged heard = (Challenged) ((AuthEvent.Decided) events.get(0)).verdict();
        assertThat(heard.soFar().stamp()).isNull();
        assertThat(heard.state()).isEmpty();
        chain.authenticate(new ChallengeResponse(heard, Secret.of("123456")));
        assertThat(told).isEmpty();
    }

    @Test
    void challengesAndResponses_printNothingSecret() {
        Challenged challenge = (Challenged) chain(Authenticated.as(ADA)).authenticate(PASSWORD);
        assertThat(challenge).hasToString("Challenged[method=otp, plugin=codes]");
        assertThat(new ChallengeResponse(challenge, Secret.of("123456")).toString())
                .doesNotContain("123456");
    }

    @Test
    void methods_areShortNames() {
        assertThatIllegalArgumentException().isThrownBy(() -> Challenged.by(Authenticated.as(ADA), "a \"method\""));
        assertThatIllegalArgumentException().isThrownBy(() -> Factors.of(NOW, ""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Factors.of(NOW, "1", "2", "3", "4", "5", "6", "7", "8", "9"));
    }

    private static Verdict respond(AuthChain chain, String code) {
        Challenged challenge = (Challenged) chain.authenticate(PASSWORD);
        return chain.authenticate(new ChallengeResponse(challenge, Secret.of(code)));
    }

    /** Wants the code 123456 of every login. */
    private static class Codes implements LoginStep {

        private final List<Subject> asked = new ArrayList<>();
        private @Nullable RuntimeException failure;
        private Optional<Secret> state = Optional.empty();

        @Override
        public String name() {
            return "codes";
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            if (failure != null) {
                throw failure;
            }
            asked.add(login.subject());
            return Optional.of(Challenged.by(login, "otp").withState(Secret.of("state")));
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            state = response.challenge().state();
            String code = response.code().orElseThrow().withText(CharSequence::toString);
            if ("next".equals(code)) {
                return Challenged.by(response.challenge().soFar(), "pin").withState(Secret.of("state"));
            }
            return "123456".equals(code) ? Passed.step() : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
    }
}
