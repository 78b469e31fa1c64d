package dev.latchkey.auth.password;

import java.text.Normalizer;

/**
 * The profile OpaqueString of PRECIS (RFC 8265 section 4.2.2), as far as it changes a password: every space becomes U+0020, and the text is brought
 * to its canonical composition, NFC. The case and the width of characters stay what they are.
 *
 * <p>What the profile forbids, control characters and code points that are not assigned, is left alone. A password that was accepted once must not
 * stop working, and each version of Unicode assigns more.
 */
final class OpaqueString {

    private OpaqueString() {}

    /** The prepared text; the same object where nothing changes. */
    static CharSequence of(CharSequence text) {
        CharSequence spaced = withPlainSpaces(text);
        return Normalizer.isNormalized(spaced, Normalizer.Form.NFC)
                ? spaced
                : Normalizer.normalize(spaced, Normalizer.Form.NFC);
    }

    /** Replaces one character at a time: all spaces of Unicode are in the basic plane. */
    private static CharSequence withPlainSpaces(CharSequence text) {
        if (text.chars().noneMatch(OpaqueString::isOtherSpace)) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text);
        for (int i = 0; i < plain.length(); i++) {
            if (isOtherSpace(plain.charAt(i))) {
                plain.setCharAt(i, ' ');
            }
        }
        return plain;
    }

    private static boolean isOtherSpace(int c) {
        return c != ' ' && Character.getType(c) == Character.SPACE_SEPARATOR;
    }
}
