package dev.latchkey.auth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the chain asks beside authentication: permissions, revocation, credentials in a request, the end. */
class AuthChainAsksAllTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final Subject ADA = Subject.of("ada");
    private static final Permission READ = new Permission("orders", "read");
    private static final Credentials TOKEN = BearerToken.of("a.b.c");

    private final List<String> calls = new ArrayList<>();
    private final ScriptedPlugin a = ScriptedPlugin.named("a", calls);
    private final ScriptedPlugin b = ScriptedPlugin.named("b", calls);
    private final ScriptedPlugin c = ScriptedPlugin.named("c", calls);
    private final AuthChain chain = AuthChain.of(a, b, c).withSharedSubjects(Set.of("a", "b", "c"));

    @Test
    void unknownPermission_isDenied() {
        assertThat(chain.authorize(ADA, READ)).isFalse();
        assertThat(AuthChain.of().authorize(ADA, READ)).isFalse();
    }

    @Test
    void firstPluginThatDoesNotAbstain_grants() {
        b.authorizing(() -> Access.GRANTED);
        c.authorizing(() -> Access.DENIED);
        assertThat(chain.authorize(ADA, READ)).isTrue();
        assertThat(calls).containsExactly("a.authorize", "b.authorize");
    }

    @Test
    void firstPluginThatDoesNotAbstain_denies() {
        a.authorizing(() -> Access.DENIED);
        b.authorizing(() -> Access.GRANTED);
        assertThat(chain.authorize(ADA, READ)).isFalse();
        assertThat(calls).containsExactly("a.authorize");
    }

    @Test
    void outageWhileAuthorizing_grantsNothing() {
        a.authorizing(() -> {
            throw AuthUnavailableException.outage("down");
        });
        b.authorizing(() -> Access.GRANTED);
        assertThatThrownBy(() -> chain.authorize(ADA, READ)).isInstanceOf(AuthUnavailableException.class);
        assertThat(calls).containsExactly("a.authorize");
    }

    @Test
    void brokenPluginWhileAuthorizing_grantsNothing() {
        b.authorizing(() -> Access.GRANTED);
        a.authorizing(() -> null);
        assertThatThrownBy(() -> chain.authorize(ADA, READ)).isInstanceOf(AuthPluginException.class);
        a.authorizing(() -> {
            throw new IllegalStateException();
        });
        assertThatThrownBy(() -> chain.authorize(ADA, READ)).isInstanceOf(AuthPluginException.class);
        assertThat(calls).doesNotContain("b.authorize");
    }

    @Test
    void revoke_asksEveryPlugin() {
        a.revoking(() -> true);
        assertThat(chain.revoke(TOKEN)).isTrue();
        assertThat(calls).containsExactly("a.revoke", "b.revoke", "c.revoke");
    }

    @Test
    void sourceOfAnotherKind_isNotAsked() {
        a.supporting(PasswordCredentials.class).answering(Authenticated.as(Subject.of("eve")));
        b.answering(Authenticated.as(ADA));
        assertThat(chain.authenticate(TOKEN))
                .isInstanceOfSatisfying(
                        Authenticated.class,
                        login -> assertThat(login.subject()).isEqualTo(ADA));
        assertThat(calls).containsExactly("b.authenticate");
    }

    @Test
    void revokeAll_asksAPluginAboutItsOwnSubjectsOnly_byItsOwnName() {
        AuthChain apart = AuthChain.of(a, b, c);
        apart.revokeAll("b:ada", NOW);
        assertThat(calls).containsExactly("a.revokeAll b:ada " + NOW, "b.revokeAll ada " + NOW);
    }

    @Test
    void revokeOfUnknownCredentials_isFalse() {
        assertThat(chain.revoke(TOKEN)).isFalse();
    }

    @Test
    void revokeAll_asksEveryPluginWithTheSameBound() {
        c.revoking(() -> true);
        assertThat(chain.revokeAll("ada", NOW)).isTrue();
        assertThat(calls).containsExactly("a.revokeAll ada " + NOW, "b.revokeAll ada " + NOW, "c.revokeAll ada " + NOW);
    }

    /** The other plugins delete rows. A row written before the record, and not deleted afterwards, would stay. */
    @Test
    void furtherRevoker_recordsARevocationFirst() {
        ScriptedPlugin further = ScriptedPlugin.named("further", calls);
        chain.withRevoker(further).revokeAll("ada", NOW);
        assertThat(calls)
                .containsExactly(
                        "further.revokeAll ada " + NOW,
                        "a.revokeAll ada " + NOW,
                        "b.revokeAll ada " + NOW,
                        "c.revokeAll ada " + NOW);
    }

    @Test
    void furtherRevokerOfTheChain_isAskedFirst_andOnce() {
        chain.withRevoker(c).revokeAll("ada", NOW);
        assertThat(calls).containsExactly("c.revokeAll ada " + NOW, "a.revokeAll ada " + NOW, "b.revokeAll ada " + NOW);
    }

    @Test
    void rowsAreDeleted_alsoIfTheRecordFails() {
        AuthUnavailableException down = AuthUnavailableException.outage("down");
        ScriptedPlugin further = ScriptedPlugin.named("further", calls).revoking(() -> {
            throw down;
        });
        assertThatThrownBy(() -> chain.withRevoker(further).revokeAll("ada", NOW))
                .isSameAs(down);
        assertThat(calls).hasSize(4);
    }

    @Test
    void isRevoked_isTheAnswerOfAnyPlugin_aboutItsOwnSubjects() {
        AuthChain apart = AuthChain.of(a, b, c);
        assertThat(apart.decidedLogins().isRevoked("b:ada", NOW)).isFalse();
        b.revoking(() -> true);
        assertThat(apart.decidedLogins().isRevoked("b:ada", NOW)).isTrue();
        assertThat(calls).endsWith("a.isRevoked b:ada " + NOW, "b.isRevoked ada " + NOW);
    }

    @Test
    void recordThatCannotBeRead_isAnOutage() {
        AuthUnavailableException down = AuthUnavailableException.outage("down");
        c.revoking(() -> {
            throw down;
        });
        assertThatThrownBy(() -> chain.decidedLogins().isRevoked("ada", NOW)).isSameAs(down);
    }

    @Test
    void revoke_asksTheOthersWhenOneIsDown_andSaysSoAfterwards() {
        AuthUnavailableException down = AuthUnavailableException.outage("down");
        a.revoking(() -> {
            throw down;
        });
        b.revoking(() -> true);
        assertThatThrownBy(() -> chain.revoke(TOKEN)).isSameAs(down);
        assertThat(calls).containsExactly("a.revoke", "b.revoke", "c.revoke");
    }

    @Test
    void revoke_losesNoFailureOfSeveral() {
        AuthUnavailableException down = AuthUnavailableException.outage("down");
        a.revoking(() -> {
            throw down;
        });
        c.revoking(() -> {
            throw new IllegalStateException();
        });
        assertThatThrownBy(() -> chain.revoke(TOKEN)).isSameAs(down);
        assertThat(down.getSuppressed()).singleElement().isInstanceOf(AuthPluginException.class);
    }

    /** A plugin may throw one exception object each time, and two plugins may share a client. */
    @Test
    void revoke_asksTheOthers_whenTwoThrowTheSameException() {
        AuthUnavailableException down = AuthUnavailableException.outage("down");
        for (ScriptedPlugin plugin : List.of(a, b)) {
            plugin.revoking(() -> {
                throw down;
            });
        }
        assertThatThrownBy(() -> chain.revoke(TOKEN)).isSameAs(down);
        assertThat(calls).containsExactly("a.revoke", "b.revoke", "c.revoke");
    }

    @Test
    void read_findsTheCredentialsOfEachPlugin_inOrder() {
        Credentials other = BearerToken.of("other");
        b.reading(() -> Optional.of(TOKEN));
        c.reading(() -> Optional.of(other));
        assertThat(chain.readers().of(RequestContext.none())).containsExactly(TOKEN, other);
        assertThat(calls).containsExactly("a.read", "b.read", "c.read");
    }

    @Test
    void read_isEmpty_withoutCredentials() {
        assertThat(chain.readers().of(RequestContext.none())).isEmpty();
    }

    @Test
    void brokenPluginWhileReading_isNamed() {
        a.reading(() -> null);
        assertThatThrownBy(() -> chain.readers().of(RequestContext.none()))
                .isInstanceOf(AuthPluginException.class)
                .hasMessageContaining("'a'");
    }

    @Test
    void brokenPluginAskedForItsChallenge_isNamed() {
        CredentialsReader broken = new CredentialsReader() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public Optional<Credentials> read(RequestContext context) {
                return Optional.empty();
            }

            @Override
            public Optional<String> challenge() {
                throw new IllegalStateException("no realm");
            }
        };
        assertThatThrownBy(() -> AuthChain.of(broken).readers().challenges())
                .isInstanceOf(AuthPluginException.class)
                .hasMessageContaining("'broken'");
    }

    @Test
    void close_closesTheLastFirst() {
        chain.close();
        assertThat(calls).containsExactly("c.close", "b.close", "a.close");
    }

    @Test
    void close_closesTheOthersWhenOneFails() {
        b.closing(() -> {
            throw new IllegalStateException("stuck");
        });
        c.closing(() -> {
            throw new AssertionError("Simulated");
        });
        assertThatCode(chain::close).doesNotThrowAnyException();
        assertThat(calls).containsExactly("c.close", "b.close", "a.close");
    }
}
