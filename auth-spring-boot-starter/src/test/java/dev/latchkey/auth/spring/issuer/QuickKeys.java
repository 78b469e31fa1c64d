package dev.latchkey.auth.spring.issuer;

import com.nimbusds.jose.jwk.RSAKey;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPublicKeySpec;

/**
 * RSA keys of 2048 bits from the greatest primes below 2<sup>1024</sup>. Such keys protect nothing. A search for random primes
 * takes seconds without the second compiler.
 */
final class QuickKeys {

    private static final BigInteger BOUND = BigInteger.TWO.pow(1024);

    /** The distances of six primes from the bound, a pair for each key. */
    private static final int[] DISTANCES = {105, 179, 1397, 3177, 5025, 5409};

    private static final BigInteger EXPONENT = BigInteger.valueOf(65_537);

    private QuickKeys() {}

    static RSAKey key(int number) {
        BigInteger p = prime(2 * number);
        BigInteger q = prime(2 * number + 1);
        BigInteger lessP = p.subtract(BigInteger.ONE);
        BigInteger lessQ = q.subtract(BigInteger.ONE);
        BigInteger modulus = p.multiply(q);
        BigInteger d = EXPONENT.modInverse(lessP.multiply(lessQ));
        try {
            KeyFactory keys = KeyFactory.getInstance("RSA");
            return new RSAKey.Builder((RSAPublicKey) keys.generatePublic(new RSAPublicKeySpec(modulus, EXPONENT)))
                    .privateKey((RSAPrivateKey) keys.generatePrivate(new RSAPrivateCrtKeySpec(
                            modulus, EXPONENT, d, p, q, d.mod(lessP), d.mod(lessQ), q.modInverse(p))))
                    .build();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static BigInteger prime(int number) {
        return BOUND.subtract(BigInteger.valueOf(DISTANCES[number]));
    }
}
