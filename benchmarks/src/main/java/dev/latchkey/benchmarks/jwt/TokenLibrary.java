package dev.latchkey.benchmarks.jwt;

import java.util.Map;
import java.util.Random;

/** A library for tokens, set up once with a key, in the best way for a service. */
public interface TokenLibrary {

    /** A token with this content, issued now. */
    String create(Content content) throws Exception;

    /**
     * Verifies a token and reads its claims. The library checks MAC and times, and with full content also issuer and audience.
     *
     * @throws Exception if the library rejects the token
     */
    Read read(String token) throws Exception;

    /** The claims of a verified token. Some libraries make a claim only on demand, so each benchmark reads the same claims. */
    record Read(String subject, Map<String, ?> claims) {}

    /** The contestants, by their names in the results. */
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

    /** The algorithms, each with a key of its minimum length. */
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
