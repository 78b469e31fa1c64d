package dev.latchkey.auth.password;

import java.text.Normalizer;

/**
 * The profile OpaqueString of PRECIS (RFC 8265 section 4.2.2), limited to its changes of a password. Every space
 * becomes U+0020, and the text is normalized to NFC. The case and the width of characters do not change.
 *
 * <p>The profile also forbids control characters and unassigned code points. This class accepts such characters,
 * because an accepted password must keep working and each Unicode version assigns more characters.
 */
final class OpaqueString {

    private OpaqueString() {}

    /** The prepared text; the same object if nothing changes. */
    static CharSequence of(CharSequence text) {
        CharSequence spaced = withPlainSpaces(text);
        return Normalizer.isNormalized(spaced, Normalizer.Form.NFC)
                ? spaced
                : Normalizer.normalize(spaced, Normalizer.Form.NFC);
    }

    /** Replaces single characters: all spaces of Unicode are in the basic plane. */
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
