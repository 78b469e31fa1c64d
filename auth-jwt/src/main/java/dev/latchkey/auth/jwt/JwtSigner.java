package dev.latchkey.auth.jwt;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Signs tokens with the signing key of the current ring.
 *
 * <p>Immutable: each {@code with…} returns a new object. Safe for use by any number of threads.
 */
public final class JwtSigner {

    private static final int ID_BYTES = 16;

    /** A key and the encoded header of its tokens. */
    private static final class Header {
        private final HmacKey key;
        private final byte[] encoded;

        Header(HmacKey key, @Nullable String type) {
            this.key = key;
            this.encoded = JoseHeader.encoded(JoseHeader.jsonOf(key, type));
        }
    }

    private final RotatingKeys keys;
    private final InstantSource clock;

    @Nullable
    private final String type;

    @Nullable
    private final SecureRandom ids;

    /** The header of the last signing key; computed again after a rotation. */
    private volatile Header header;

    private JwtSigner(RotatingKeys keys, InstantSource clock, @Nullable String type, @Nullable SecureRandom ids) {
        this.keys = keys;
        this.clock = clock;
        this.type = type;
        this.ids = ids;
        this.header = new Header(keys.ring().signingKey(), type);
    }

    /**
     * Signs with this key.
     *
     * @param key signing fails after the key is closed
     * @return a signer with the type {@code JWT} and without ids
     */
    public static JwtSigner with(HmacKey key) {
        return with(RotatingKeys.startingWith(key));
    }

    /**
     * Signs with the signing key of this ring.
     *
     * @param ring fixed; for rotation use {@link RotatingKeys}
     * @return a signer with the type {@code JWT} and without ids
     */
    public static JwtSigner with(KeyRing ring) {
        return with(RotatingKeys.startingWith(ring));
    }

    /**
     * Signs with the current key of a rotation.
     *
     * @param keys may be rotated at any time, on any thread
     * @return a signer that uses the current signing key at each call
     */
    public static JwtSigner with(RotatingKeys keys) {
        return new JwtSigner(
                Objects.requireNonNull(keys, "keys"), InstantSource.system(), JoseHeader.DEFAULT_TYPE, null);
    }

    /**
     * Writes this {@code typ} into the header instead of {@code JWT}. Different types prevent the confusion of tokens
     * of different kinds (RFC 8725 section 3.11).
     *
     * @param type 1 to 255 characters of visible ASCII
     * @return a changed copy
     * @throws IllegalArgumentException if the type is empty, longer than 255 characters or not visible ASCII
     */
    public JwtSigner withType(String type) {
        return new JwtSigner(keys, clock, JoseHeader.requireType(type), ids);
    }

    /**
     * Writes no {@code typ} into the header, for verifiers that reject {@code typ}. RFC 7519 section 5.1 makes {@code typ}
     * optional. Kinds of tokens must then differ by their claims or keys. A {@link JwtVerifier} accepts such a token
     * unless the verifier {@linkplain JwtVerifier#expectingType expects a type}.
     *
     * @return a changed copy
     */
    public JwtSigner withoutType() {
        return new JwtSigner(keys, clock, null, ids);
    }

    /**
     * Adds a random {@code jti} of 128 bits to each token without {@code jti}, so that the token can be revoked alone.
     *
     * @return a changed copy
     */
    public JwtSigner withGeneratedIds() {
        return new JwtSigner(keys, clock, type, new SecureRandom());
    }

    /**
     * Uses this clock for the time of signing.
     *
     * @param clock called once for each token
     * @return a changed copy
     */
    public JwtSigner withTimeSource(InstantSource clock) {
        return new JwtSigner(keys, Objects.requireNonNull(clock, "clock"), type, ids);
    }

    /**
     * Signs the claims and returns the compact form (RFC 7515 section 7.1).
     *
     * @param claims the time of signing is added as {@code iat} if {@code iat} is absent
     * @return three parts in Base64url, separated by dots
     * @throws IllegalArgumentException if the token would be longer than {@link JwtVerifier#DEFAULT_MAX_LENGTH}, have
     *     too many claims or end after the year 9999
     * @throws IllegalStateException if the signing key was closed and not replaced
     */
    public String sign(JwtClaims claims) {
        Header current = headerOf(keys.ring().signingKey());
        JwtClaims complete = ids == null || claims.hasId() ? claims : claims.withId(newId(ids));
        TokenBuffers buffers = TokenBuffers.take(0);
        try {
            JsonWriter json = buffers.json();
            complete.writeTo(json, Math.floorDiv(clock.millis(), 1000L));
            int length = sign(buffers, current, json.buffer(), json.length());
            while (length < 0) {
                // The key was closed. A rotation first replaces the signing key and then closes the old key, so the
                // ring has a new key by now.
                current = headerOf(successorOf(current.key));
                length = sign(buffers, current, json.buffer(), json.length());
            }
            return new String(buffers.token(), 0, length, StandardCharsets.ISO_8859_1);
        } finally {
            buffers.give();
        }
    }

    private Header headerOf(HmacKey key) {
        Header last = header;
        if (last.key != key) {
            last = new Header(key, type);
            header = last;
        }
        return last;
    }

    private HmacKey successorOf(HmacKey closed) {
        HmacKey present = keys.ring().signingKey();
        if (present == closed) {
            throw new IllegalStateException("The signing key was closed");
        }
        return present;
    }

    /** Writes the token into the buffers; returns the length, or -1 if the key was closed. */
    private static int sign(TokenBuffers buffers, Header header, byte[] payload, int payloadLength) {
        int headerLength = header.encoded.length;
        int signedLength = Math.addExact(headerLength, Base64Url.encodedLength(payloadLength));
        int length = Math.addExact(signedLength, header.key.algorithm().encodedMacLength() + 1);
        if (length > JwtVerifier.DEFAULT_MAX_LENGTH) {
            throw new IllegalArgumentException("The token would have " + length + " characters; at most "
                    + JwtVerifier.DEFAULT_MAX_LENGTH + " are allowed");
        }
        byte[] token = buffers.token(length);
        System.arraycopy(header.encoded, 0, token, 0, headerLength);
        Base64Url.encode(payload, payloadLength, token, headerLength);
        return buffers.sign(header.key, signedLength);
    }

    private static String newId(SecureRandom random) {
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        return new String(Base64Url.encoded(id), StandardCharsets.ISO_8859_1);
    }
}
