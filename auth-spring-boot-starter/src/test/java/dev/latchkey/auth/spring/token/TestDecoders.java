package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.store.RevocationStore;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;

/** The decoder of resource servers, for tests of other packages. */
public final class TestDecoders {

    private TestDecoders() {}

    /** With the validators and the listener that are among the beans. */
    public static JwtDecoder of(JwtVerifier verifier, RevocationStore revocations, ListableBeanFactory beans) {
        return LatchkeyJwtDecoder.of(
                verifier,
                revocations,
                beans.getBeanProvider(ResolvableType.forClassWithGenerics(OAuth2TokenValidator.class, Jwt.class)),
                beans.getBeanProvider(TokenListener.class));
    }
}
