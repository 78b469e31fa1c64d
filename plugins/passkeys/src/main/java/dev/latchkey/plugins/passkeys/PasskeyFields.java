package dev.latchkey.plugins.passkeys;

/** The names of the fields to and from a client. Bytes are Base64url without padding. */
public final class PasskeyFields {

    /** From the client: the signing credential; {@code rawId} of the browser's answer. */
    public static final String CREDENTIAL_ID = "credential_id";

    /** Sent: {@code response.clientDataJSON}. */
    public static final String CLIENT_DATA_JSON = "client_data_json";

    /** Sent: {@code response.authenticatorData}. */
    public static final String AUTHENTICATOR_DATA = "authenticator_data";

    /** Sent: {@code response.signature}. */
    public static final String SIGNATURE = "signature";

    /** From the client, if the authenticator has a user handle, and always as first factor: {@code response.userHandle}. */
    public static final String USER_HANDLE = "user_handle";

    /** To the client: the data for the authenticator's signature. */
    public static final String CHALLENGE = "challenge";

    /** Told: the domain. */
    public static final String RP_ID = "rp_id";

    /** Told: how long the challenge is good, in milliseconds. */
    public static final String TIMEOUT = "timeout";

    /** Told: the credentials of the account. */
    public static final String CREDENTIAL_IDS = "credential_ids";

    /** Told: {@code required} or {@code preferred}. */
    public static final String USER_VERIFICATION = "user_verification";

    private PasskeyFields() {}
}
