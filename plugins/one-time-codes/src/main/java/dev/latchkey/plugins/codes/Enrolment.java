package dev.latchkey.plugins.codes;

import dev.latchkey.auth.Secret;

/**
 * What a user puts into an authenticator app. To be shown to that user once, and kept nowhere else. Immutable; prints nothing.
 */
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
     * The secret in Base32, to be typed where there is no camera.
     *
     * @return without spaces and padding
     */
    public Secret key() {
        return key;
    }

    /**
     * {@code otpauth://totp/…}, which opens the app on a phone.
     *
     * @return a URI that holds the secret
     */
    public Secret uri() {
        return uri;
    }

    /**
     * The URI as the picture of a QR code: an SVG document.
     *
     * @return a document of its own, which holds the secret
     */
    public Secret qrCode() {
        return qrCode;
    }

    @Override
    public String toString() {
        return "Enrolment[****]";
    }
}
