package dev.latchkey.auth.spring.pairs;

import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.login.AccessToken;
import dev.latchkey.auth.spring.login.StepUp;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Tokens that no request of the account's owner to the login endpoint gives. */
final class Tokens {

    /** What a registered client sends. */
    static final Map<String, String> CLIENT =
            Map.of("Authorization", ReactiveServices.basic("app", "0123456789abcdefghijkl"));

    private static final Duration LIFETIME = Duration.ofHours(1);

    private Tokens() {}

    /** A token without authorities, signed with the service's key; a wrong secret stands for another key. */
    static String old(Visit visit, String secret) {
        JwtSigner signer = secret.startsWith("wrong")
                ? JwtSigner.with(HmacKey.of(new byte[] {
                    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
                    28, 29, 30, 31, 32
                }))
                : visit.service().getBean(JwtSigner.class);
        return signer.sign(JwtClaims.forSubject(visit.name(), LIFETIME)
                .withIssuedAt(visit.world().instant()));
    }

    /** The access token of a supporter, who may act as each account, from a login of before. */
    static String ofASupporter(Visit visit) {
        return visit.world().supporters.computeIfAbsent(visit.name(), any -> {
            try {
                return supporterOf(visit)
                        .login(Visit.SECRET)
                        .last()
                        .member("access_token")
                        .orElse("none");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static Visit supporterOf(Visit visit) {
        String name = "supporter-of-" + visit.name();
        visit.world().accounts.putIfAbsent(name, World.Row.of(World.USERS, Visit.SECRET));
        return new Visit(visit.service(), visit.world(), visit.client(), Way.JSON, name, "198.51.100.7");
    }

    /** A token after a fresh proof of the login of another token. */
    static Optional<String> proved(Visit visit, String token) {
        return visit.service()
                .getBean(StepUp.class)
                .prove(
                        token,
                        new PasswordCredentials(visit.name(), Secret.of(visit.secret())),
                        Map.of("code", Secret.of(Sources.CODE)),
                        RequestContext.none(),
                        LIFETIME)
                .map(AccessToken::value);
    }
}
