package dev.latchkey.auth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The log lines about a plugin without an answer, and about its recovery. */
class AuthChainOutageTest {

    private static final PasswordCredentials ADA = new PasswordCredentials("ada", Secret.of("hunter2-hunter2"));

    private final HeardLog log = new HeardLog();
    private Instant now = Instant.parse("2026-11-21T12:00:00Z");
    private RuntimeException failure =
            AuthUnavailableException.outage("The directory failed", new ConnectException("Connection refused"));
    private Decision answer = Authenticated.as(Subject.of("ada"));
    private final AuthChain chain = AuthChain.of(
            List.of(ScriptedPlugin.named("ldap").deciding(() -> {
                if (failure != null) {
                    throw failure;
                }
                return answer;
            })),
            () -> now);

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void outage_isOneLineWithItsCause_howeverManyAsk() {
        fail(3);
        assertThat(log.lines())
                .containsExactly("WARNING Plugin 'ldap' does not answer: The directory failed,"
                        + " caused by java.net.ConnectException: Connection refused");
    }

    /** The answer comes too soon to be the end, and nobody asks until the next outage. */
    @Test
    void outageAfterAnUnnoticedEnd_isLoggedToo() {
        fail(1);
        recover(Duration.ofSeconds(1));
        now = now.plus(Duration.ofDays(3));
        fail(1);
        assertThat(log.lines()).hasSize(2).allMatch(line -> line.startsWith("WARNING Plugin 'ldap' does not answer"));
    }

    @Test
    void pluginThatAnswersAgain_isOneLine() {
        fail(1);
        recover(Duration.ofSeconds(30));
        recover(Duration.ofSeconds(1));
        assertThat(log.lines()).hasSize(2).last().isEqualTo("INFO Plugin 'ldap' answers again");
        fail(1);
        assertThat(log.lines()).hasSize(3);
    }

    @Test
    void alternatelyFailingPlugin_isOneLine_untilAStableRecovery() {
        for (int i = 0; i < 50; i++) {
            fail(1);
            recover(Duration.ofSeconds(1));
        }
        assertThat(log.lines()).hasSize(1);
        recover(Duration.ofSeconds(10));
        assertThat(log.lines()).hasSize(2);
    }

    @Test
    void failedPlugin_isDown_untilItAnswers() {
        assertThat(chain.pluginsDown()).isEmpty();
        fail(1);
        assertThat(chain.pluginsDown()).containsExactly("ldap");
        recover(Duration.ofSeconds(1));
        assertThat(chain.pluginsDown()).isEmpty();
        fail(1);
        assertThat(chain.pluginsDown()).containsExactly("ldap");
    }

    @Test
    void failedPlugin_isNotDown_afterHalfAMinuteWithoutCalls() {
        fail(1);
        now = now.plusSeconds(30);
        assertThat(chain.pluginsDown()).containsExactly("ldap");
        now = now.plusNanos(1);
        assertThat(chain.pluginsDown()).isEmpty();
    }

    @Test
    void overloadedOrThrottledPlugin_isNotDown() {
        failure = AuthUnavailableException.overload("busy", Duration.ofSeconds(1));
        fail(1);
        failure = AuthUnavailableException.throttled("slower", Duration.ofSeconds(1));
        fail(1);
        assertThat(chain.pluginsDown()).isEmpty();
    }

    /** A time limit of the service, for example, interrupts the caller, and the plugin may be well. */
    @Test
    void pluginOfAnInterruptedCaller_isNotDown() {
        Thread.currentThread().interrupt();
        try {
            fail(1);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(chain.pluginsDown()).isEmpty();
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void permissionSourceWithoutAnAnswer_isDown_untilItDecides() {
        AtomicBoolean isDown = new AtomicBoolean(true);
        AuthChain permissions = AuthChain.of(new PermissionSource() {
            @Override
            public String name() {
                return "acl";
            }

            @Override
            public Access authorize(Subject subject, Permission permission) {
                if (isDown.get()) {
                    throw AuthUnavailableException.outage("The permissions failed");
                }
                return Access.DENIED;
            }
        });
        Permission read = new Permission("orders", "read");
        assertThatThrownBy(() -> permissions.authorize(Subject.of("ada"), read))
                .isInstanceOf(AuthUnavailableException.class);
        assertThat(permissions.pluginsDown()).containsExactly("acl");
        isDown.set(false);
        assertThat(permissions.authorize(Subject.of("ada"), read)).isFalse();
        assertThat(permissions.pluginsDown()).isEmpty();
    }

    @Test
    void abstention_isNoSignOfLife() {
        fail(1);
        answer = Decision.abstained();
        recover(Duration.ofMinutes(1));
        assertThat(log.lines()).hasSize(1);
    }

    @Test
    void messageThatRepeatsThePassword_isLeftOut() {
        failure = AuthUnavailableException.outage(
                "The directory failed", new IllegalStateException("cannot bind with hunter2-hunter2"));
        fail(1);
        assertThat(log.lines())
                .containsExactly("WARNING Plugin 'ldap' does not answer: The directory failed,"
                        + " caused by java.lang.IllegalStateException");
    }

    @Test
    void outageThatRepeatsThePassword_orTheToken_isSaidWithoutIt() {
        failure = AuthUnavailableException.outage("no bind with hunter2-hunter2", new ConnectException());
        fail(1);
        assertThat(log.lines())
                .containsExactly("WARNING Plugin 'ldap' does not answer: no reason is known,"
                        + " caused by java.net.ConnectException");
        assertThatThrownBy(() -> AuthChain.of(ScriptedPlugin.named("remote").deciding(() -> {
                            throw AuthUnavailableException.outage("GET /?token=a.b.c");
                        }))
                        .authenticate(BearerToken.of("a.b.c")))
                .isInstanceOf(AuthUnavailableException.class);
        assertThat(log.lines()).last().isEqualTo("WARNING Plugin 'remote' does not answer: no reason is known");
    }

    @Test
    void credentialsOfAnotherKind_areInNoMessage_sinceTheirSecretsAreUnknown() {
        Credentials ticket = new Credentials() {};
        assertThatThrownBy(() -> chain.authenticate(ticket)).isSameAs(failure);
        assertThat(log.lines())
                .containsExactly("WARNING Plugin 'ldap' does not answer: no reason is known,"
                        + " caused by java.net.ConnectException");
    }

    @Test
    void credentialsOfAnotherKind_thatNameTheirSecrets_hideTheMessagesWithThese() {
        Credentials ticket = new Credentials() {
            @Override
            public Collection<Secret> secrets() {
                return List.of(Secret.of("t-1"), Secret.of("t-2"));
            }
        };
        failure = AuthUnavailableException.outage("No table", new IllegalStateException("no row of t-2"));
        assertThatThrownBy(() -> chain.authenticate(ticket)).isSameAs(failure);
        assertThat(log.lines())
                .containsExactly("WARNING Plugin 'ldap' does not answer: No table,"
                        + " caused by java.lang.IllegalStateException");
    }

    @Test
    void credentialsThatFail_areNoOtherFailure() {
        Credentials ticket = new Credentials() {
            @Override
            public Collection<Secret> secrets() {
                throw new UnsupportedOperationException();
            }
        };
        assertThatThrownBy(() -> chain.authenticate(ticket)).isSameAs(failure);
        assertThat(log.lines())
                .containsExactly("WARNING Plugin 'ldap' does not answer: no reason is known,"
                        + " caused by java.net.ConnectException");
    }

    @Test
    void causesWithoutEnd_areCutOff() {
        Exception one = new IllegalStateException("one");
        Exception two = new IllegalStateException("two", one);
        one.initCause(two);
        failure = AuthUnavailableException.outage("down", one);
        fail(1);
        assertThat(log.lines()).singleElement().asString().hasSizeLessThan(1_000);
    }

    @Test
    void passwordThatWasWiped_isNoOtherFailure() {
        PasswordCredentials wiped = new PasswordCredentials("ada", Secret.of("hunter2-hunter2"));
        wiped.password().close();
        assertThatThrownBy(() -> chain.authenticate(wiped)).isSameAs(failure);
    }

    @Test
    void messageWithLineBreaks_isOneLine_andALongOneIsCut() {
        failure = AuthUnavailableException.outage("down\r\nINFO all is well" + "x".repeat(10_000));
        fail(1);
        assertThat(log.lines())
                .singleElement()
                .asString()
                .hasSizeLessThan(1_000)
                .doesNotContain("\r", "\n");
    }

    @Test
    void outageInAnyQuestion_isSaid() {
        AuthUnavailableException down = AuthUnavailableException.outage("down");
        AuthChain other = AuthChain.of(ScriptedPlugin.named("store").revoking(() -> {
            throw down;
        }));
        assertThatThrownBy(() -> other.revoke(ADA)).isSameAs(down);
        assertThatThrownBy(() -> other.revokeAll("ada", now)).isSameAs(down);
        assertThat(log.lines()).containsExactly("WARNING Plugin 'store' does not answer: down");
    }

    @Test
    void overloadAndThrottling_areNoOutage() {
        failure = AuthUnavailableException.overload("full", Duration.ofSeconds(1));
        fail(1);
        failure = AuthUnavailableException.throttled("too many", Duration.ofSeconds(1));
        fail(1);
        assertThat(log.lines()).isEmpty();
    }

    private void fail(int times) {
        RuntimeException thrown = failure;
        for (int i = 0; i < times; i++) {
            assertThatThrownBy(this::ask).isSameAs(thrown);
        }
    }

    private void recover(Duration later) {
        RuntimeException before = failure;
        now = now.plus(later);
        failure = null;
        ask();
        failure = before;
    }

    private void ask() {
        chain.authenticate(ADA);
    }
}
