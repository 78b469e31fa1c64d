package dev.latchkey.plugins.codes;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * The input of an authenticator app: {@code otpauth://totp/Issuer:account?secret=…}, in Google Authenticator's "Key Uri
 * Format".
 *
 * <p>The app shows issuer and account. A longer account is shortened, so a camera can read the QR code.
 */
final class ProvisioningUri {

    /** The limit for the issuer, which occurs twice, and for the shown part of the account. */
    static final int MOST_SHOWN = 64;

    private ProvisioningUri() {}

    static String of(String issuer, String account, CodeSecret secret) {
        return "otpauth://totp/" + encoded(issuer) + ":" + encoded(shown(account)) + "?secret=" + secret.text()
                + "&issuer="
                + encoded(issuer) + "&algorithm=" + secret.algorithm() + "&digits=" + CodeSecret.DIGITS + "&period="
                + CodeSecret.STEP.toSeconds();
    }

    /** A colon ends the issuer in a label, even when encoded. */
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

    /** Encoded as in RFC 3986 section 2.1; an app would show a form's plus sign. */
    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
    }
}
