package dev.latchkey.plugins.codes;

import dev.latchkey.auth.Secret;

/** The data for an authenticator app. Show the data once to the user, and store no copy. Immutable; never printed. */
public final class Enrolment {

    private final Secret key;
    private final Secret uri;
    private final Secret qrCode;

    Enrolment(String issuer, String account, CodeSecret secret) {
        String text = ProvisioningUri.of(issuer, account, secret);
        this.key = Secret.of(secret.text());
        this.uri = Secret.of(text);
        this.qrCode = Secret.of(QrCodeImage.svg(text));
    }

    /**
     * The secret in Base32, for users without a camera.
     *
     * @return without spaces and padding
     */
    public Secret key() {
        return key;
    }

    /**
     * {@code otpauth://totp/…}; on a phone this URI opens the app.
     *
     * @return a URI with the secret
     */
    public Secret uri() {
        return uri;
    }

    /**
     * The URI as a QR code, in an SVG document.
     *
     * @return a complete document with the secret
     */
    public Secret qrCode() {
        return qrCode;
    }

    @Override
    public String toString() {
        return "Enrolment[****]";
    }
}
