package dev.latchkey.plugins.codes;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * What an authenticator app reads: {@code otpauth://totp/Issuer:account?secret=…}, as Google Authenticator's "Key Uri Format" has it.
 *
 * <p>Issuer and account are what the app shows. A longer account is cut there, so that the QR code stays one that a camera can read.
 */
final class ProvisioningUri {

    /** For the issuer, which stands there twice, and for what is shown of the account. */
    static final int MOST_SHOWN = 64;

    private ProvisioningUri() {}

    static String of(String issuer, String account, CodeSecret secret) {
        return "otpauth://totp/" + encoded(issuer) + ":" + encoded(shown(account)) + "?secret=" + secret.text()
                + "&issuer="
                + encoded(issuer) + "&algorithm=" + secret.algorithm() + "&digits=" + CodeSecret.DIGITS + "&period="
                + CodeSecret.STEP.toSeconds();
    }

    /** A colon ends the issuer in a label, however it is encoded. */
    static boolean isIssuer(String text) {
        return !text.isBlank()
                && text.codePointCount(0, text.length()) <= MOST_SHOWN
                && text.indexOf(':') < 0
                && text.chars().noneMatch(Character::isISOControl);
    }

    private static String shown(String account) {
        return account.codePointCount(0, account.length()) <= MOST_SHOWN
                ? account
                : account.substring(0, account.offsetByCodePoints(0, MOST_SHOWN));
    }

    /** As RFC 3986 section 2.1 has it; a form's plus would be shown as one. */
    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
    }
}
