package dev.latchkey.auth.jwt;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Signs tokens with the signing key of its ring.
 *
 * <p>Immutable: each {@code with…} gives a new value. Safe for use by any number of threads.
 */
public final class JwtSigner {

    private static final int ID_BYTES = 16;

    /** A key and what its tokens begin with. */
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

    /** Of the key that signed last; computed again after a rotation. */
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
     * @param key once it is closed, signing fails
     * @return a signer that writes {@code JWT} as the type, and no ids
     */
    public static JwtSigner with(HmacKey key) {
        return with(RotatingKeys.startingWith(key));
    }

    /**
     * Signs with the signing key of this ring.
     *
     * @param ring stays as it is; for one that changes there are {@link RotatingKeys}
     * @return a signer that writes {@code JWT} as the type, and no ids
     */
    public static JwtSigner with(KeyRing ring) {
        return with(RotatingKeys.startingWith(ring));
    }

    /**
     * Follows the rotation of these keys.
     *
     * @param keys may be rotated at any time, on any thread
     * @return a signer with the key that signs at each call
     */
    public static JwtSigner with(RotatingKeys keys) {
        return new JwtSigner(
                Objects.requireNonNull(keys, "keys"), InstantSource.system(), JoseHeader.DEFAULT_TYPE, null);
    }

    /**
     * Writes this {@code typ} into the header in place of {@code JWT}, so that tokens of one kind are not taken for another
     * (RFC 8725 section 3.11).
     *
     * @param type 1 to 255 characters of visible ASCII
     * @return another signer; this one stays as it is
     * @throws IllegalArgumentException if it is empty, longer than 255 characters or not visible ASCII
     */
    public JwtSigner withType(String type) {
        return new JwtSigner(keys, clock, JoseHeader.requireType(type), ids);
    }

    /**
     * Writes no {@code typ} into the header, which RFC 7519 section 5.1 leaves optional, for verifiers that refuse one. Kinds of tokens must then differ
     * by their claims or keys. A {@link JwtVerifier} accepts such a token unless it {@linkplain JwtVerifier#expectingType expects a type}.
     *
     * @return another signer; this one stays as it is
     */
    public JwtSigner withoutType() {
        return new JwtSigner(keys, clock, null, ids);
    }

    /**
     * Gives each token without a {@code jti} one of 128 random bits, so that it can be revoked alone.
     *
     * @return another signer; this one stays as it is
     */
    public JwtSigner withGeneratedIds() {
        return new JwtSigner(keys, clock, type, new SecureRandom());
    }

    /**
     * Takes the time of signing from this clock.
     *
     * @param clock asked once for each token
     * @return another signer; this one stays as it is
     */
    public JwtSigner withTimeSource(InstantSource clock) {
        return new JwtSigner(keys, Objects.requireNonNull(clock, "clock"), type, ids);
    }

    /**
     * The signed token in its compact form (RFC 7515 section 7.1).
     *
     * @param claims the time of signing is added where they do not say one
     * @return three parts in Base64url with dots between them
     * @throws IllegalArgumentException if the token would be longer than {@link JwtVerifier#DEFAULT_MAX_LENGTH}, have too many
     *     claims or end after the year 9999
     * @throws IllegalStateException if the signing key was closed, and no other took its place
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
                // The key was closed. Who closes one that signs replaces it first, so the ring has another by now.
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

    /** Writes the token into the buffers; its length, or -1 if the key was closed. */
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
