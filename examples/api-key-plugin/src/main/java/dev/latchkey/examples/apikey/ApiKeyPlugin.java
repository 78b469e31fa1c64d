package dev.latchkey.examples.apikey;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import java.util.List;
import java.util.Optional;

/**
 * Authenticates API keys. A file has the digests of the keys.
 *
 * <p>A key is random and long, unlike a password. A slow hash defends against dictionaries, and no dictionary has all 256-bit
 * numbers. A single SHA-256 therefore makes the file worthless to a thief. The form of each key is checked, because a short key
 * would need a slow hash again.
 *
 * <p>Safe for use by any number of threads.
 */
final class ApiKeyPlugin implements LoginSource<ApiKeyCredentials>, CredentialsReader {

    /** 32 random bytes in hexadecimal are 64 characters, in Base64url 43; 32 characters carry at least 128 bits in either. */
    private static final int MIN_KEY_LENGTH = 32;

    private static final int MAX_KEY_LENGTH = 256;

    /** Shorter than any. */
    private static final String NO_KEY = "";

    private final String name;
    private final ApiKeyFile file;
    private final String header;
    private volatile boolean closed;

    ApiKeyPlugin(String name, ApiKeyFile file, String header) {
        this.name = name;
        this.file = file;
        this.header = header;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Class<ApiKeyCredentials> kind() {
        return ApiKeyCredentials.class;
    }

    /** @throws dev.latchkey.auth.AuthUnavailableException if the file of keys is gone */
    @Override
    public Decision authenticate(ApiKeyCredentials presented, RequestContext context) {
        if (closed) {
            return Rejected.because(RejectionReason.BAD_CREDENTIALS).withDetail("plugin_closed");
        }
        int length = presented.key().length();
        if (length < MIN_KEY_LENGTH || length > MAX_KEY_LENGTH) {
            return Rejected.because(RejectionReason.MALFORMED).withDetail("key_length");
        }
        return file.keys()
                .subjectOf(presented.key())
                .<Decision>map(Authenticated::as)
                .orElseGet(() -> Rejected.because(RejectionReason.BAD_CREDENTIALS));
    }

    /**
     * Reads the key from a field with a single value.
     *
     * <p>With two values, a proxy may have added the second. A choice between both would let the sender decide which machine is
     * trusted. Two values, and an unreadable value, are therefore a key without an owner, and not a request without a key.
     */
    @Override
    public Optional<Credentials> read(RequestContext context) {
        List<String> values = context.header(header);
        if (values.isEmpty()) {
            return Optional.empty();
        }
        boolean isReadable = values.size() == 1 && isVisibleAscii(values.get(0));
        return Optional.of(ApiKeyCredentials.of(isReadable ? values.get(0) : NO_KEY));
    }

    /** A page of another origin cannot set the field. */
    @Override
    public boolean needsNoCsrfToken() {
        return true;
    }

    @Override
    public void close() {
        closed = true;
    }

    private static boolean isVisibleAscii(String value) {
        return !value.isEmpty()
                && value.length() <= MAX_KEY_LENGTH
                && value.chars().allMatch(c -> c > ' ' && c < 0x7F);
    }
}
