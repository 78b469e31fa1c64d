package dev.latchkey.benchmarks.jwt;

import java.util.Random;

/** A library that makes and checks tokens, set up once with a key, as a service sets it up at its best. */
public interface TokenLibrary {

    /** A token with this content, issued now. */
    String create(Content content) throws Exception;

    /** What the library gives for a valid token: MAC and times checked, and with full content issuer and audience. */
    Object verify(String token) throws Exception;

    /** The subject of what {@link #verify} gave. */
    String subjectOf(Object verified) throws Exception;

    /** The contestants, by the names that the results carry. */
    enum Contestant {
        LATCHKEY,
        JJWT,
        NIMBUS,
        AUTH0,
        JOSE4J,
        FUSIONAUTH,
        TINK;

        public TokenLibrary with(Algorithm algorithm, byte[] key, Content content) throws Exception {
            return switch (this) {
                case LATCHKEY -> new LatchkeyTokens(algorithm, key, content);
                case JJWT -> new JjwtTokens(algorithm, key, content);
                case NIMBUS -> new NimbusTokens(algorithm, key, content);
                case AUTH0 -> new Auth0Tokens(algorithm, key, content);
                case JOSE4J -> new Jose4jTokens(algorithm, key, content);
                case FUSIONAUTH -> new FusionAuthTokens(algorithm, key, content);
                case TINK -> new TinkTokens(algorithm, key, content);
            };
        }
    }

    /** The algorithms, each with a key as long as it needs and no longer. */
    enum Algorithm {
        HS256(32),
        HS384(48),
        HS512(64);

        private final int keyBytes;

        Algorithm(int keyBytes) {
            this.keyBytes = keyBytes;
        }

        /** The same random bytes in each run. */
        public byte[] key() {
            byte[] key = new byte[keyBytes];
            new Random(42).nextBytes(key);
            return key;
        }
    }
}
