package dev.latchkey.auth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The chain decides, and fails closed. */
class AuthChainTest {

    private static final PasswordCredentials PASSWORD = new PasswordCredentials("ada", Secret.of("right"));

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final Subject ADA = Subject.of("ada").withAuthorities("ROLE_USER");
    private static final Credentials TOKEN = BearerToken.of("a.b.c");
    private static final Rejected BAD = Rejected.because(RejectionReason.BAD_CREDENTIALS);

    @Test
    void unknownName_costsTheWorkOfEachPlugin_andIsAnUnknownAccount() {
        List<String> calls = new ArrayList<>();
        AuthChain chain = AuthChain.of(
                ScriptedPlugin.named("tokens", calls).supporting(BearerToken.class),
                ScriptedPlugin.named("users", calls),
                ScriptedPlugin.named("ldap", calls));
        assertThat(chain.authenticate(PASSWORD)).isEqualTo(Rejected.because(RejectionReason.UNKNOWN_ACCOUNT));
        assertThat(calls)
                .containsExactly("users.authenticate", "ldap.authenticate", "users.unrecognized", "ldap.unrecognized");
    }

    @Test
    void nameThatALaterPluginDecides_costsNothingInTheEarlierOne() {
        List<String> calls = new ArrayList<>();
        AuthChain chain = AuthChain.of(
                ScriptedPlugin.named("users", calls),
                ScriptedPlugin.named("ldap", calls).answering(Authenticated.as(Subject.of("ada"))));
        assertThat(chain.authenticate(PASSWORD)).isInstanceOf(Authenticated.class);
        assertThat(calls).containsExactly("users.authenticate", "ldap.authenticate");
    }

    /** The check may have read the account before a revocation, and may end afterwards. */
    @Test
    void timeOfAPassword_isTheStartOfItsCheck() {
        Instant[] now = {NOW};
        LoginSource<PasswordCredentials> slow = new LoginSource<>() {
            @Override
            public String name() {
                return "slow";
            }

            @Override
            public Class<PasswordCredentials> kind() {
                return PasswordCredentials.class;
            }

            @Override
            public Decision authenticate(PasswordCredentials given, RequestContext context) {
                now[0] = NOW.plusSeconds(2);
                return Authenticated.as(ADA);
            }
        };
        Verdict verdict = AuthChain.of(List.of(slow), () -> now[0]).authenticate(PASSWORD);
        assertThat(((Authenticated) verdict).factors()).isEqualTo(Factors.of(NOW, Factors.PASSWORD));
    }

    @Test
    void passwordThatNoPluginSupports_andOtherKinds_areNotRecognized() {
        ScriptedPlugin tokens = ScriptedPlugin.named("tokens").supporting(BearerToken.class);
        AuthChain chain = AuthChain.of(tokens);
        assertThat(chain.authenticate(PASSWORD)).isEqualTo(Rejected.because(RejectionReason.NOT_RECOGNIZED));
        assertThat(chain.authenticate(BearerToken.of("a.b.c")))
                .isEqualTo(Rejected.because(RejectionReason.NOT_RECOGNIZED));
        assertThat(tokens.calls()).containsExactly("tokens.authenticate");
    }

    @Test
    void endThatCannotBeSpent_isNoRejection() {
        AuthUnavailableException full = AuthUnavailableException.overload("full", Duration.ofSeconds(1));
        List<AuthEvent> heard = new ArrayList<>();
        ScriptedPlugin users = ScriptedPlugin.named("users").atTheEnd(() -> {
            throw full;
        });
        AuthChain chain = AuthChain.of(users).withListener(heard::add);
        assertThatThrownBy(() -> chain.authenticate(PASSWORD)).isSameAs(full);
        users.atTheEnd(() -> {
            throw new IllegalStateException("broken");
        });
        assertThatThrownBy(() -> chain.authenticate(PASSWORD)).isInstanceOf(AuthPluginException.class);
        assertThat(heard)
                .hasSize(2)
                .satisfiesExactly(
                        first -> assertThat(first).isInstanceOf(AuthEvent.Unavailable.class),
                        second -> assertThat(second).isInstanceOf(AuthEvent.Failed.class));
    }

    @Test
    void context_isShownToThePluginThatIsAsked() {
        ScriptedPlugin plugin = ScriptedPlugin.named("a");
        RequestContext context = RequestContext.from("192.0.2.7");
        AuthChain.of(plugin).authenticate(TOKEN, context);
        assertThat(plugin.context()).isSameAs(context);
        AuthChain.of(plugin).authenticate(TOKEN);
        assertThat(plugin.context()).isSameAs(RequestContext.none());
        AuthChain.of(plugin).readers().of(context);
        assertThat(plugin.context()).isSameAs(context);
    }

    @Test
    void chainOfNoPlugins_rejectsEverything() {
        assertThat(AuthChain.of().authenticate(TOKEN)).isEqualTo(Rejected.because(RejectionReason.NOT_RECOGNIZED));
    }

    @Test
    void chainWhereAllAbstain_rejects() {
        AuthChain chain = AuthChain.of(ScriptedPlugin.named("a"), ScriptedPlugin.named("b"));
        assertThat(chain.authenticate(TOKEN)).isEqualTo(Rejected.because(RejectionReason.NOT_RECOGNIZED));
    }

    @Test
    void success_isTheAnswer() {
        AuthChain chain = AuthChain.of(ScriptedPlugin.named("a").answering(Authenticated.as(ADA)));
        assertThat(chain.authenticate(TOKEN)).isEqualTo(Authenticated.as(ADA).decidedBy("a"));
    }

    @Test
    void success_namesTheDecidingPlugin_despiteAnotherNameInTheAnswer() {
        Authenticated forged = Authenticated.as(ADA).decidedBy("b");
        AuthChain chain = AuthChain.of(
                ScriptedPlugin.named("a").answering(forged),
                ScriptedPlugin.named("b").answering(Authenticated.as(ADA)));
        assertThat(((Authenticated) chain.authenticate(TOKEN)).plugin()).isEqualTo("a");
    }

    @Test
    void account_isThatOfThePluginOfTheName_andNoOtherIsAsked() {
        ScriptedPlugin first = ScriptedPlugin.named("a").knowing(BAD);
        ScriptedPlugin second = ScriptedPlugin.named("b");
        AuthChain chain = AuthChain.of(first, second);
        assertThat(chain.decidedLogins().account("a", "ada")).isPresent();
        assertThat(chain.decidedLogins().account("b", "b:ada")).isEmpty();
        assertThat(chain.decidedLogins().account("gone", "ada")).isEmpty();
        assertThat(chain.decidedLogins().account("", "ada")).isEmpty();
        assertThat(first.calls()).containsExactly("a.account ada");
        assertThat(second.calls()).containsExactly("b.account ada");
    }

    @Test
    void abstention_asksTheNextPlugin() {
        ScriptedPlugin first = ScriptedPlugin.named("a");
        AuthChain chain = AuthChain.of(first, ScriptedPlugin.named("b").answering(Authenticated.as(ADA)));
        assertThat(chain.authenticate(TOKEN))
                .isEqualTo(Authenticated.as(ADA.withId("b:ada")).decidedBy("b"));
        assertThat(first.calls()).containsExactly("a.authenticate");
    }

    @Test
    void rejection_isFinalAndTheNextPluginIsNotAsked() {
        ScriptedPlugin second = ScriptedPlugin.named("b").answering(Authenticated.as(ADA));
        AuthChain chain = AuthChain.of(ScriptedPlugin.named("a").answering(BAD), second);
        assertThat(chain.authenticate(TOKEN)).isEqualTo(BAD);
        assertThat(second.calls()).isEmpty();
    }

    @Test
    void success_isFinalAndTheNextPluginIsNotAsked() {
        ScriptedPlugin second = ScriptedPlugin.named("b").answering(BAD);
        AuthChain chain = AuthChain.of(ScriptedPlugin.named("a").answering(Authenticated.as(ADA)), second);
        assertThat(chain.authenticate(TOKEN)).isEqualTo(Authenticated.as(ADA).decidedBy("a"));
        assertThat(second.calls()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(AuthUnavailableException.Kind.class)
    void unavailablePlugin_endsTheChainAndTheNextPluginIsNotAsked(AuthUnavailableException.Kind kind) {
        AuthUnavailableException down = unavailable(kind);
        ScriptedPlugin second = ScriptedPlugin.named("b").answering(Authenticated.as(ADA));
        AuthChain chain = AuthChain.of(ScriptedPlugin.named("a").deciding(throwing(down)), second);
        assertThatThrownBy(() -> chain.authenticate(TOKEN)).isSameAs(down);
        assertThat(second.calls()).isEmpty();
    }

    @Test
    void unexpectedException_namesThePlugin_andAuthenticatesNoCaller() {
        RuntimeException foreign = new IllegalStateException("wrong password hunter2-hunter2");
        ScriptedPlugin second = ScriptedPlugin.named("b").answering(Authenticated.as(ADA));
        AuthChain chain = AuthChain.of(ScriptedPlugin.named("a").deciding(throwing(foreign)), second);
        assertThatThrownBy(() -> chain.authenticate(TOKEN))
                .isInstanceOf(AuthPluginException.class)
                .hasMessage("Plugin 'a' threw java.lang.IllegalStateException where the contract asks for a value")
                .hasSuppressedException(foreign);
        assertThat(second.calls()).isEmpty();
    }

    @Test
    void nullAnswer_namesThePlugin_andAuthenticatesNoCaller() {
        ScriptedPlugin second = ScriptedPlugin.named("b").answering(Authenticated.as(ADA));
        AuthChain chain = AuthChain.of(ScriptedPlugin.named("a").answering(null), second);
        assertThatThrownBy(() -> chain.authenticate(TOKEN))
                .isInstanceOf(AuthPluginException.class)
                .hasMessage("Plugin 'a' answered null where the contract asks for a value");
        assertThat(second.calls()).isEmpty();
    }

    @Test
    void errorOfAPlugin_isABreachOfItsContract_andAuthenticatesNoCaller() {
        ScriptedPlugin first = ScriptedPlugin.named("a");
        ScriptedPlugin second = ScriptedPlugin.named("b").answering(Authenticated.as(ADA));
        AuthChain chain = AuthChain.of(first, second);
        for (Error error : List.of(
                new NoClassDefFoundError("com/acme/Missing"), new StackOverflowError(), new AssertionError("never"))) {
            first.deciding(() -> {
                throw error;
            });
            assertThatThrownBy(() -> chain.authenticate(TOKEN))
                    .isInstanceOf(AuthPluginException.class)
                    .hasMessageContaining(error.getClass().getName())
                    .hasSuppressedException(error);
        }
        assertThat(second.calls()).isEmpty();
    }

    /** Kotlin's compiler demands no declaration. */
    @Test
    void checkedExceptionOfAPlugin_isABreachOfItsContractToo() {
        IOException thrown = new IOException("refused");
        ScriptedPlugin plugin = ScriptedPlugin.named("a").deciding(() -> {
            throw AuthChainTest.<RuntimeException>unchecked(thrown);
        });
        AuthChain chain = AuthChain.of(plugin);
        assertThatThrownBy(() -> chain.authenticate(TOKEN))
                .isInstanceOf(AuthPluginException.class)
                .hasSuppressedException(thrown);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void errorOfTheMachine_passesThrough_andAuthenticatesNoCaller() {
        ScriptedPlugin first = ScriptedPlugin.named("a");
        ScriptedPlugin second = ScriptedPlugin.named("b").answering(Authenticated.as(ADA));
        AuthChain chain = AuthChain.of(first, second);
        for (Error error : List.of(new OutOfMemoryError("Java heap space"), new InternalError("broken"))) {
            first.deciding(() -> {
                throw error;
            });
            assertThatThrownBy(() -> chain.authenticate(TOKEN)).isSameAs(error);
        }
        assertThat(second.calls()).isEmpty();
    }

    @Test
    void verdictEndingNow_isExpired() {
        assertThat(verdictEnding(NOW)).isEqualTo(Rejected.because(RejectionReason.CREDENTIALS_EXPIRED));
    }

    @Test
    void verdictEndingOneNanosecondAgo_isExpired() {
        assertThat(verdictEnding(NOW.minusNanos(1))).isEqualTo(Rejected.because(RejectionReason.CREDENTIALS_EXPIRED));
    }

    @Test
    void verdictEndingInOneNanosecond_isGood() {
        Instant end = NOW.plusNanos(1);
        assertThat(verdictEnding(end)).isEqualTo(new Authenticated(ADA, end).decidedBy("a"));
    }

    @Test
    void verdictWithoutEnd_isGood() {
        assertThat(verdictEnding(Instant.MAX)).isEqualTo(Authenticated.as(ADA).decidedBy("a"));
    }

    @Test
    void expiredVerdict_doesNotAskTheNextPlugin() {
        ScriptedPlugin second = ScriptedPlugin.named("b").answering(Authenticated.as(ADA));
        AuthChain chain = AuthChain.of(
                List.of(ScriptedPlugin.named("a").answering(new Authenticated(ADA, NOW)), second),
                InstantSource.fixed(NOW));
        assertThat(chain.authenticate(TOKEN)).isInstanceOf(Rejected.class);
        assertThat(second.calls()).isEmpty();
    }

    @Test
    void nullCredentials_areAProgrammingError() {
        assertThatNullPointerException()
                .isThrownBy(() -> AuthChain.of().authenticate(null))
                .withMessage("credentials");
    }

    @Test
    void twoPluginsOfOneName_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AuthChain.of(ScriptedPlugin.named("a"), ScriptedPlugin.named("a")))
                .withMessage("Two plugins are named 'a'; names must differ");
    }

    @Test
    void pluginWithoutProperName_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> AuthChain.of(ScriptedPlugin.named("")));
    }

    @Test
    void pluginNames_areInOrder() {
        AuthChain chain = AuthChain.of(List.of(ScriptedPlugin.named("b"), ScriptedPlugin.named("a")));
        assertThat(chain.pluginNames()).containsExactly("b", "a");
    }

    private static Verdict verdictEnding(Instant end) {
        return AuthChain.of(
                        List.of(ScriptedPlugin.named("a").answering(new Authenticated(ADA, end))),
                        InstantSource.fixed(NOW))
                .authenticate(TOKEN);
    }

    private static AuthUnavailableException unavailable(AuthUnavailableException.Kind kind) {
        return switch (kind) {
            case OUTAGE -> AuthUnavailableException.outage("down");
            case OVERLOAD -> AuthUnavailableException.overload("full", Duration.ofSeconds(1));
            case THROTTLED -> AuthUnavailableException.throttled("too many", Duration.ofSeconds(1));
        };
    }

    private static Supplier<Decision> throwing(RuntimeException e) {
        return () -> {
            throw e;
        };
    }
}
