package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A closed plugin throws for every call. A silent revocation would look successful. */
class ClosedPluginTest {

    private final JwtAuthPlugin plugin =
            JwtAuthPlugin.of(Forge.verifier(), new InMemoryRevocationStore(Duration.ofHours(1)));
    private final BearerToken token = BearerToken.of(
            Forge.signer().sign(JwtClaims.forSubject("a", Duration.ofHours(1)).withId("1")));

    private static void assertOutage(ThrowingCallable question) {
        assertThatThrownBy(question)
                .isInstanceOf(AuthUnavailableException.class)
                .hasMessage("The plugin 'jwt' was closed");
    }

    @Test
    void closedPlugin_neitherDecidesNorRevokes() {
        plugin.close();
        assertOutage(() -> plugin.authenticate(token, RequestContext.none()));
        assertOutage(() -> plugin.revoke(token));
        assertOutage(() -> plugin.revokeAll("a", Forge.NOW));
    }

    @Test
    void pluginOfTokens_isShownTokensAlone() {
        AuthChain chain = AuthChain.of(plugin);
        assertThat(chain.decidesAbout(BearerToken.class)).isTrue();
        assertThat(chain.decidesAbout(PasswordCredentials.class)).isFalse();
    }
}
