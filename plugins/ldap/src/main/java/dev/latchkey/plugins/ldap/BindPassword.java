package dev.latchkey.plugins.ldap;

import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.PasswordProvider;
import com.unboundid.ldap.sdk.ResultCode;
import dev.latchkey.auth.Secret;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A password for the LDAP library: supplied when needed and wiped afterwards. A file is read each time, so a new file
 * takes effect with the next bind. An empty password is an error: some servers answer such a bind with success, although
 * the bind proves nothing (RFC 4513 section 5.1.2).
 */
final class BindPassword extends PasswordProvider {

    @Serial
    private static final long serialVersionUID = 1L;

    @Nullable
    private transient volatile Secret secret;

    @Nullable
    private final transient Path file;

    private BindPassword(@Nullable Secret secret, @Nullable Path file) {
        this.secret = secret;
        this.file = file;
    }

    static BindPassword of(Secret secret) {
        return new BindPassword(secret, null);
    }

    static BindPassword inFile(Path file) {
        return new BindPassword(null, file);
    }

    /** Removes the password, because a connection remembers its last bind request. */
    void forget() {
        secret = null;
    }

    @Override
    public byte[] getPasswordBytes() throws LDAPException {
        byte[] password = bytes();
        if (password.length == 0) {
            throw new LDAPException(ResultCode.PARAM_ERROR, "An empty password is not sent");
        }
        return password;
    }

    private byte[] bytes() throws LDAPException {
        Secret held = secret;
        if (held != null) {
            return held.withBytes(bytes -> bytes.clone());
        }
        return file == null ? new byte[0] : withoutLineEnd(file);
    }

    /** Removes the line end that editors and {@code echo} add. */
    private static byte[] withoutLineEnd(Path file) throws LDAPException {
        try (Secret content = Secret.of(Files.readAllBytes(file))) {
            return content.withBytes(bytes -> {
                int length = bytes.length;
                while (length > 0 && (bytes[length - 1] == '\n' || bytes[length - 1] == '\r')) {
                    length--;
                }
                return Arrays.copyOf(bytes, length);
            });
        } catch (IOException e) {
            throw new LDAPException(ResultCode.PARAM_ERROR, "The file of bind-password-file cannot be read", e);
        }
    }
}
