package dev.latchkey.plugins.passkeys;

import dev.latchkey.auth.Secret;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The unchecked bytes of an authenticator's signature. */
final class Assertion {

    static final int LONGEST_ID = 255;
    static final int LONGEST_CLIENT_DATA = 2_048;

    private static final int LONGEST_AUTHENTICATOR_DATA = 2_048;
    private static final int LONGEST_SIGNATURE = 1_024;
    private static final int LONGEST_HANDLE = 64;

    private final byte[] credentialId;
    private final byte[] clientData;
    private final byte[] authenticatorData;
    private final byte[] signature;
    private final byte @Nullable [] userHandle;

    private Assertion(
            byte[] credentialId,
            byte[] clientData,
            byte[] authenticatorData,
            byte[] signature,
            byte @Nullable [] userHandle) {
        this.credentialId = credentialId;
        this.clientData = clientData;
        this.authenticatorData = authenticatorData;
        this.signature = signature;
        this.userHandle = userHandle;
    }

    /** Empty where a field is missing, too long, or no Base64url. */
    static Optional<Assertion> of(Function<String, Optional<Secret>> fields) {
        byte[] id = bytes(fields, PasskeyFields.CREDENTIAL_ID, LONGEST_ID);
        byte[] clientData = bytes(fields, PasskeyFields.CLIENT_DATA_JSON, LONGEST_CLIENT_DATA);
        byte[] authenticatorData = bytes(fields, PasskeyFields.AUTHENTICATOR_DATA, LONGEST_AUTHENTICATOR_DATA);
        byte[] signature = bytes(fields, PasskeyFields.SIGNATURE, LONGEST_SIGNATURE);
        boolean hasHandle = fields.apply(PasskeyFields.USER_HANDLE)
                .filter(text -> text.length() > 0)
                .isPresent();
        byte[] handle = hasHandle ? bytes(fields, PasskeyFields.USER_HANDLE, LONGEST_HANDLE) : null;
        if (id == null || clientData == null || authenticatorData == null || signature == null) {
            return Optional.empty();
        }
        return hasHandle && handle == null
                ? Optional.empty()
                : Optional.of(new Assertion(id, clientData, authenticatorData, signature, handle));
    }

    private static byte @Nullable [] bytes(Function<String, Optional<Secret>> fields, String name, int most) {
        return fields.apply(name).flatMap(text -> Base64Url.decode(text, most)).orElse(null);
    }

    byte[] credentialId() {
        return credentialId;
    }

    byte[] clientData() {
        return clientData;
    }

    byte[] authenticatorData() {
        return authenticatorData;
    }

    byte[] signature() {
        return signature;
    }

    /** Null if the authenticator sent none, as is allowed after a list of credential ids. */
    byte @Nullable [] userHandle() {
        return userHandle;
    }

    String id() {
        return Base64Url.encode(credentialId);
    }
}
