package dev.latchkey.plugins.passkeys;

import dev.latchkey.auth.RegisteredCredentials;
import dev.latchkey.auth.Secret;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The answer of a passkey to a challenge of {@link Passkeys#begin()}, in place of a name and a password. Each field is Base64url
 * and unchecked.
 *
 * @param credentialId the signing credential
 * @param clientDataJson the browser's data about the page
 * @param authenticatorData the authenticator's data about itself
 * @param signature of both
 * @param userHandle names the account
 */
public record PasskeyCredentials(
        Secret credentialId, Secret clientDataJson, Secret authenticatorData, Secret signature, Secret userHandle)
        implements RegisteredCredentials {

    /**
     * @param credentialId the signing credential
     * @param clientDataJson the browser's data about the page
     * @param authenticatorData the authenticator's data about itself
     * @param signature of both
     * @param userHandle names the account
     */
    public PasskeyCredentials {
        Objects.requireNonNull(credentialId, "credentialId");
        Objects.requireNonNull(clientDataJson, "clientDataJson");
        Objects.requireNonNull(authenticatorData, "authenticatorData");
        Objects.requireNonNull(signature, "signature");
        Objects.requireNonNull(userHandle, "userHandle");
    }

    /**
     * The credentials in these fields, with the names of {@link PasskeyFields}.
     *
     * @param fields of a client
     * @return empty if a field is missing
     */
    public static Optional<PasskeyCredentials> of(Map<String, Secret> fields) {
        Secret id = fields.get(PasskeyFields.CREDENTIAL_ID);
        Secret clientData = fields.get(PasskeyFields.CLIENT_DATA_JSON);
        Secret authenticatorData = fields.get(PasskeyFields.AUTHENTICATOR_DATA);
        Secret signature = fields.get(PasskeyFields.SIGNATURE);
        Secret handle = fields.get(PasskeyFields.USER_HANDLE);
        return id == null || clientData == null || authenticatorData == null || signature == null || handle == null
                ? Optional.empty()
                : Optional.of(new PasskeyCredentials(id, clientData, authenticatorData, signature, handle));
    }

    @Override
    public List<Secret> secrets() {
        return List.of(credentialId, clientDataJson, authenticatorData, signature, userHandle);
    }

    Optional<Assertion> assertion() {
        Map<String, Secret> fields = Map.of(
                PasskeyFields.CREDENTIAL_ID, credentialId,
                PasskeyFields.CLIENT_DATA_JSON, clientDataJson,
                PasskeyFields.AUTHENTICATOR_DATA, authenticatorData,
                PasskeyFields.SIGNATURE, signature,
                PasskeyFields.USER_HANDLE, userHandle);
        return Assertion.of(name -> Optional.ofNullable(fields.get(name)));
    }
}
