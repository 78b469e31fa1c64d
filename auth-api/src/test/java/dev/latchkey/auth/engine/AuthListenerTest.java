package dev.latchkey.auth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

class AuthListenerTest {

    private static final Subject ADA = Subject.of("ada");
    private static final Permission READ = new Permission("orders", "read");
    private static final Credentials LOGIN = new PasswordCredentials("ada", Secret.of("correct horse battery"));

    private final List<AuthEvent> heard = new ArrayList<>();
    private final ScriptedPlugin plugin = ScriptedPlugin.named("a");
    private final AuthChain chain = AuthChain.of(plugin).withListener(heard::add);

    @Test
    void success_isHeardWithPluginKindAndAccount() {
        plugin.answering(Authenticated.as(ADA));
        chain.authenticate(LOGIN);
        assertThat(heard).singleElement().isInstanceOfSatisfying(AuthEvent.Decided.class, decided -> {
            assertThat(decided.plugin()).isEqualTo("a");
            assertThat(decided.kind()).isEqualTo(PasswordCredentials.class);
            assertThat(decided.account()).isEqualTo("ada");
            assertThat(((Authenticated) decided.verdict()).subject()).isEqualTo(ADA);
            assertThat(((Authenticated) decided.verdict()).plugin()).isEqualTo("a");
            assertThat(decided.elapsed()).isGreaterThanOrEqualTo(Duration.ZERO);
        });
    }

    @Test
    void rejection_isLoggedWithItsDetail_atDebugAlone_withoutTheAccountAndThePassword() {
        plugin.answering(Rejected.because(RejectionReason.MALFORMED).withDetail("too_long"));
        try (HeardLog log = new HeardLog(Level.FINE)) {
            chain.authenticate(LOGIN);
            chain.authenticate(BearerToken.of("a.b.c"));
            assertThat(log.lines())
                    .containsExactly(
                            "FINE Rejected by a: PasswordCredentials, malformed, too_long",
                            "FINE Rejected by a: BearerToken, malformed, too_long");
        }
        try (HeardLog log = new HeardLog(Level.INFO)) {
            chain.authenticate(LOGIN);
            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void listeners_areNotGivenTheAccountsStamp_andTheCallerIs() {
        Secret stamp = Secret.of("a stored hash");
        plugin.answering(Authenticated.as(ADA).withStamp(stamp));
        assertThat(((Authenticated) chain.authenticate(LOGIN)).stamp()).isSameAs(stamp);
        assertThat(heard)
                .singleElement()
                .isInstanceOfSatisfying(
                        AuthEvent.Decided.class,
                        decided -> assertThat(((Authenticated) decided.verdict()).stamp())
                                .isNull());
    }

    @Test
    void abstentionOfAll_isHeardWithoutAPlugin() {
        chain.authenticate(BearerToken.of("a.b.c"));
        assertThat(heard).singleElement().isInstanceOfSatisfying(AuthEvent.Decided.class, decided -> {
            assertThat(decided.plugin()).isEmpty();
            assertThat(decided.account()).isEmpty();
            assertThat(decided.verdict()).isEqualTo(Rejected.because(RejectionReason.NOT_RECOGNIZED));
        });
    }

    @Test
    void expiredVerdict_isReportedAsARejection() {
        plugin.answering(new Authenticated(ADA, Instant.EPOCH));
        chain.authenticate(LOGIN);
        assertThat(heard)
                .singleElement()
                .isInstanceOfSatisfying(
                        AuthEvent.Decided.class,
                        decided -> assertThat(decided.verdict())
                                .isEqualTo(Rejected.because(RejectionReason.CREDENTIALS_EXPIRED)));
    }

    @Test
    void outage_isHeardAsNoVerdict() {
        plugin.deciding(() -> {
            throw AuthUnavailableException.outage("down");
        });
        assertThatThrownBy(() -> chain.authenticate(LOGIN)).isInstanceOf(AuthUnavailableException.class);
        assertThat(heard).singleElement().isInstanceOfSatisfying(AuthEvent.Unavailable.class, unavailable -> {
            assertThat(unavailable.plugin()).isEqualTo("a");
            assertThat(unavailable.account()).isEqualTo("ada");
            assertThat(unavailable.cause()).isEqualTo(AuthUnavailableException.Kind.OUTAGE);
        });
    }

    @Test
    void brokenPlugin_isHeardAsNoVerdict() {
        plugin.answering(null);
        assertThatThrownBy(() -> chain.authenticate(LOGIN)).isInstanceOf(AuthPluginException.class);
        assertThat(heard)
                .singleElement()
                .isInstanceOfSatisfying(
                        AuthEvent.Failed.class,
                        failed -> assertThat(failed.plugin()).isEqualTo("a"));
    }

    @Test
    void accessGrantedAndDenied_areHeard() {
        plugin.authorizing(() -> Access.GRANTED);
        chain.authorize(ADA, READ);
        plugin.authorizing(() -> Access.ABSTAINED);
        chain.authorize(ADA, READ);
        assertThat(heard)
                .containsExactly(
                        new AuthEvent.AccessDecided("a", ADA, READ, true),
                        new AuthEvent.AccessDecided("", ADA, READ, false));
    }

    @Test
    void permissionThatWasNotDecided_isHeardWithTheReason() {
        plugin.authorizing(() -> {
            throw AuthUnavailableException.outage("down");
        });
        assertThatThrownBy(() -> chain.authorize(ADA, READ)).isInstanceOf(AuthUnavailableException.class);
        plugin.authorizing(() -> null);
        assertThatThrownBy(() -> chain.authorize(ADA, READ)).isInstanceOf(AuthPluginException.class);
        assertThat(heard)
                .containsExactly(
                        new AuthEvent.AccessUnavailable("a", ADA, READ, AuthUnavailableException.Kind.OUTAGE),
                        new AuthEvent.AccessFailed("a", ADA, READ));
    }

    @Test
    void revocations_areHeardWhereSomethingWasRevoked() {
        chain.revoke(LOGIN);
        chain.revokeAll("ada", Instant.EPOCH);
        assertThat(heard).isEmpty();
        plugin.revoking(() -> true);
        chain.revoke(LOGIN);
        chain.revokeAll("ada", Instant.EPOCH);
        assertThat(heard)
                .containsExactly(new AuthEvent.Revoked(PasswordCredentials.class), new AuthEvent.SubjectRevoked("ada"));
    }

    @Test
    void listenerThatThrows_changesNoDecisionAndSilencesNoOther() {
        AuthChain noisy = AuthChain.of(plugin.answering(Authenticated.as(ADA)))
                .withListener(event -> {
                    throw new IllegalStateException("audit disk is full");
                })
                .withListener(heard::add);
        assertThat(noisy.authenticate(LOGIN)).isInstanceOf(Authenticated.class);
        assertThat(heard).hasSize(1);
    }

    @Test
    void errorOfAListener_changesNoDecisionAndSilencesNoOther() {
        plugin.answering(Authenticated.as(ADA));
        plugin.revoking(() -> true);
        for (Error error : List.of(
                new NoClassDefFoundError("for a test"),
                new AssertionError("for a test"),
                new StackOverflowError("for a test"),
                new OutOfMemoryError("for a test"))) {
            heard.clear();
            AuthChain noisy = AuthChain.of(plugin)
                    .withListener(event -> {
                        throw error;
                    })
                    .withListener(new FailingToBegin(error))
                    .withListener(heard::add);
            assertThat(noisy.authenticate(LOGIN)).isInstanceOf(Authenticated.class);
            assertThat(noisy.authorize(ADA, READ)).isFalse();
            assertThat(noisy.revoke(LOGIN)).isTrue();
            assertThat(noisy.revokeAll("ada", Instant.EPOCH)).isTrue();
            assertThat(heard).hasSize(4);
        }
    }

    private record FailingToBegin(Error error) implements AuthListener {

        @Override
        public void on(AuthEvent event) {}

        @Override
        public AuthListener begin(Class<? extends Credentials> kind) {
            throw error;
        }
    }

    @Test
    void outageAndItsListenersError_areTheOutage() {
        AuthUnavailableException outage = AuthUnavailableException.outage("down");
        plugin.deciding(() -> {
            throw outage;
        });
        AuthChain noisy = chain.withListener(event -> {
            throw new AssertionError("for a test");
        });
        assertThatThrownBy(() -> noisy.authenticate(LOGIN)).isSameAs(outage);
    }

    @Test
    void credentialsThatCannotNameTheirAccount_areDecidedAllTheSame() {
        plugin.answering(Authenticated.as(ADA));
        Credentials odd = new Credentials() {
            @Override
            public Optional<String> account() {
                throw new IllegalStateException("for a test");
            }
        };
        assertThat(chain.authenticate(odd)).isInstanceOf(Authenticated.class);
        assertThat(heard)
                .singleElement()
                .isInstanceOfSatisfying(
                        AuthEvent.Decided.class,
                        decided -> assertThat(decided.account()).isEmpty());
    }

    @Test
    void eachListener_hearsEachEventOnce() {
        AuthChain two = chain.withListener(heard::add);
        two.authenticate(LOGIN);
        assertThat(heard).hasSize(2);
    }

    @Test
    void listenerAddedLater_doesNotChangeTheChainItWasMadeFrom() {
        List<AuthEvent> later = new ArrayList<>();
        AuthChain unused = chain.withListener(later::add);
        chain.authenticate(LOGIN);
        assertThat(later).isEmpty();
        assertThat(unused.pluginNames()).containsExactly("a");
    }

    @Test
    void begin_getsTheKind_andItsResultGetsTheOutcome() {
        List<Object> told = new ArrayList<>();
        AuthChain begun = AuthChain.of(plugin).withListener(beginning(told));
        plugin.deciding(() -> {
            told.add("asked");
            return Authenticated.as(ADA);
        });
        begun.authenticate(LOGIN);
        assertThat(told).hasSize(3).startsWith(PasswordCredentials.class, "asked");
        assertThat(told.get(2)).isInstanceOf(AuthEvent.Decided.class);
    }

    @Test
    void everyBeginning_hasAnEnd() {
        List<Object> told = new ArrayList<>();
        AuthChain begun = AuthChain.of(plugin).withListener(beginning(told));
        plugin.deciding(() -> {
            throw new OutOfMemoryError("Java heap space");
        });
        assertThatThrownBy(() -> begun.authenticate(LOGIN)).isInstanceOf(OutOfMemoryError.class);
        assertThat(told).hasSize(2).last().isInstanceOf(AuthEvent.Failed.class);
    }

    @Test
    void listenerThatFailsToBegin_changesNothing_andIsToldTheOutcome() {
        plugin.answering(Authenticated.as(ADA));
        AuthChain failing = chain.withListener(new AuthListener() {
            @Override
            public void on(AuthEvent event) {
                heard.add(event);
            }

            @Override
            public AuthListener begin(Class<? extends Credentials> kind) {
                throw new IllegalStateException("broken");
            }
        });
        assertThat(failing.authenticate(LOGIN)).isInstanceOf(Authenticated.class);
        assertThat(heard).hasSize(2);
    }

    private static AuthListener beginning(List<Object> told) {
        return new AuthListener() {
            @Override
            public void on(AuthEvent event) {
                throw new AssertionError("told in place of what begin returned");
            }

            @Override
            public AuthListener begin(Class<? extends Credentials> kind) {
                told.add(kind);
                return told::add;
            }
        };
    }

    @Test
    void noEvent_printsThePassword() {
        plugin.answering(Authenticated.as(ADA));
        plugin.revoking(() -> true);
        chain.authenticate(LOGIN);
        chain.revoke(LOGIN);
        plugin.answering(null);
        assertThatThrownBy(() -> chain.authenticate(LOGIN)).message().doesNotContain("correct horse");
        assertThat(heard.toString()).doesNotContain("correct horse");
    }
}
