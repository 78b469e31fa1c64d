package dev.latchkey.plugins.passkeys;

/** The names of what a client is told and sends. Bytes are Base64url without padding. */
public final class PasskeyFields {

    /** Sent: which credential signed; {@code rawId} of the browser's answer. */
    public static final String CREDENTIAL_ID = "credential_id";

    /** Sent: {@code response.clientDataJSON}. */
    public static final String CLIENT_DATA_JSON = "client_data_json";

    /** Sent: {@code response.authenticatorData}. */
    public static final String AUTHENTICATOR_DATA = "authenticator_data";

    /** Sent: {@code response.signature}. */
    public static final String SIGNATURE = "signature";

    /** Sent where the authenticator has it, always as first factor: {@code response.userHandle}. */
    public static final String USER_HANDLE = "user_handle";

    /** Told: what the authenticator signs. */
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
