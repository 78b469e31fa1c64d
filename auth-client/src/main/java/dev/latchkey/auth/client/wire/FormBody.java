package dev.latchkey.auth.client.wire;

import dev.latchkey.auth.Secret;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/**
 * The fields of a form, percent-encoded in UTF-8. The bytes of secrets go straight into one array that can be wiped. No
 * {@code String} contains a password.
 */
public final class FormBody implements AutoCloseable {

    /** The media type of a form. */
    public static final String TYPE = "application/x-www-form-urlencoded";

    /** The longest encoding of one byte. */
    private static final int MOST_ENCODED = 3;

    private static final byte[] DIGITS = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    private final byte[] bytes;
    private final int length;

    private FormBody(byte[] bytes, int length) {
        this.bytes = bytes;
        this.length = length;
    }

    /**
     * A body with these fields, encoded at once.
     *
     * @param fields by their names, in the order of the map
     * @return a body that holds secrets until its close
     */
    public static FormBody of(Map<String, Secret> fields) {
        int size = 0;
        for (Map.Entry<String, Secret> field : fields.entrySet()) {
            size += 2
                    + field.getKey().length()
                    + MOST_ENCODED * field.getValue().length();
        }
        byte[] all = new byte[size];
        ByteBuffer bytes = ByteBuffer.wrap(all);
        for (Map.Entry<String, Secret> field : fields.entrySet()) {
            if (bytes.position() > 0) {
                bytes.put((byte) '&');
            }
            bytes.put(field.getKey().getBytes(StandardCharsets.US_ASCII)).put((byte) '=');
            encode(field.getValue(), bytes);
        }
        return new FormBody(all, bytes.position());
    }

    /**
     * The space for this secret after encoding.
     *
     * @param secret the secret to encode
     * @return a number of bytes that is enough for any secret of this length
     */
    public static int roomFor(Secret secret) {
        return MOST_ENCODED * secret.length();
    }

    /**
     * Appends the secret. All bytes except the unreserved characters of RFC 3986 section 2.3 are encoded.
     *
     * @param secret any bytes
     * @param to must have enough space
     */
    public static void encode(Secret secret, ByteBuffer to) {
        Objects.requireNonNull(secret.withBytes(plain -> {
            for (byte each : plain) {
                if (isUnreserved(each)) {
                    to.put(each);
                } else {
                    to.put((byte) '%').put(DIGITS[(each >> 4) & 0xF]).put(DIGITS[each & 0xF]);
                }
            }
            return to;
        }));
    }

    private static boolean isUnreserved(byte c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }

    /**
     * A publisher that reads the array during sending. Close this body only after sending.
     *
     * @return a publisher for one request
     */
    public BodyPublisher publisher() {
        return BodyPublishers.ofByteArray(bytes, 0, length);
    }

    @Override
    public void close() {
        Arrays.fill(bytes, (byte) 0);
    }
}
