package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logouts with the tokens of a source from another jar. */
final class OtherTokensTest {

    private final AuthChain chain = AuthChain.of(new AnyToken());
    private final OtherTokens tokens =
            new OtherTokens(chain, new InMemoryRevocationStore(Duration.ofDays(30)), InstantSource.system());

    @AfterEach
    void close() {
        chain.close();
    }

    /** The parts before the last dot are the same in all tokens of such a form. */
    @ParameterizedTest
    @ValueSource(strings = {"v4.public.", "pat.eu.", "pat.eu.key.", "eyes.eu.", ".eu.", "..", "key.", ""})
    void logout_endsNoOtherTokenOfTheSameForm(String form) {
        logout(form + "AAAA");

        assertThat(isValid(form + "AAAA")).isFalse();
        assertThat(isValid(form + "BBBB")).isTrue();
    }

    /** One signature or tag has several texts: the last character has unused bits, and padding may follow. */
    @ParameterizedTest
    @ValueSource(strings = {".claims.", ".key.iv.text."})
    void logoutOfAJoseToken_endsEachTextOfItsSignature(String parts) {
        String token = base64("{\"alg\":\"ES256\"}") + parts;
        logout(token + "AAAA");

        assertThat(isValid(token + "AAAA=")).isFalse();
        assertThat(isValid(token + "AAAB")).isFalse();
    }

    @Test
    void logoutOfAJoseToken_endsNoTokenWithOtherClaims() {
        String header = base64("{\r\n  \"alg\": \"ES256\"\r\n}");
        logout(header + ".ada.AAAA");

        assertThat(isValid(header + ".ada.BBBB")).isFalse();
        assertThat(isValid(header + ".grace.AAAA")).isTrue();
    }

    /** A source may ignore a space around the token, and the digest does not. */
    @ParameterizedTest
    @ValueSource(strings = {" key", "key ", "\nkey", "key\t", "key\u0000", "k ey"})
    void textWithASpaceOrAControlCharacter_isNoToken(String token) {
        assertThat(isValid(token)).isFalse();
    }

    private static String base64(String header) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(header.getBytes(StandardCharsets.UTF_8));
    }

    private void logout(String token) {
        tokens.revoke(token, tokens.check(token).orElseThrow());
    }

    private boolean isValid(String token) {
        return tokens.check(token).isPresent();
    }

    /** Accepts all tokens. */
    private static final class AnyToken implements LoginSource<BearerToken> {

        @Override
        public String name() {
            return "any";
        }

        @Override
        public Class<BearerToken> kind() {
            return BearerToken.class;
        }

        @Override
        public Decision authenticate(BearerToken shown, RequestContext context) {
            return Authenticated.as(Subject.of("ada"));
        }
    }
}
