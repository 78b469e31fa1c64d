package dev.latchkey.auth.password;

import dev.latchkey.auth.password.HashInfo.Standing;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.Parameters;
import dev.latchkey.auth.password.hash.ParsedHash;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Parses whole stored values: the pepper's mark, then a format. Compares stored costs with the costs of new hashes.
 * Immutable.
 */
final class StoredHashes {

    private static final String PEPPER_PREFIX = "{pepper@";

    /** The longest known text, a Keycloak credential, has some 600 characters. */
    private static final int MAX_CHARACTERS = 1024;

    private final HashFormat formats;

    private final HashInfo unrecognised;
    private final Pepper pepper;
    private final Parameters written;

    /**
     * @param unrecognised the description of a text without a format
     */
    StoredHashes(HashFormat formats, HashInfo unrecognised, @Nullable Pepper pepper, Parameters written) {
        this.formats = formats;
        this.unrecognised = unrecognised;
        this.pepper = pepper == null ? Pepper.onlyOld() : pepper;
        this.written = written;
    }

    /** The pepper's mark at the start of a new hash; empty without a pepper. */
    String prefix() {
        String id = pepper.currentId();
        return id == null ? "" : PEPPER_PREFIX + id + "}";
    }

    /** The bytes to hash for a new hash of this password. */
    byte[] peppered(byte[] password) {
        String id = pepper.currentId();
        return id == null ? password : pepper.apply(id, password);
    }

    /** The hash in the text; null if no format matches. */
    @Nullable
    ParsedHash read(String text) {
        // No tool writes a lone surrogate, and Spring's encoders throw for one.
        if (text.length() > MAX_CHARACTERS
                || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            return null;
        }
        return text.startsWith(PEPPER_PREFIX) ? readPeppered(text) : unpeppered(formats.read(text));
    }

    private @Nullable ParsedHash readPeppered(String text) {
        int end = text.indexOf('}');
        String id = text.substring(PEPPER_PREFIX.length(), Math.max(end, PEPPER_PREFIX.length()));
        if (end < 0 || !pepper.has(id)) {
            return new ParsedHash.Refused("peppered", "hashed under a pepper key that is not there");
        }
        ParsedHash parsed = formats.read(text.substring(end + 1));
        if (parsed instanceof ParsedHash.Checkable checkable) {
            String current = pepper.currentId();
            boolean isOld = current != null && !current.equals(id);
            String note = isOld ? "hashed under an old pepper key" : checkable.note();
            return checkable.after(checkable.parameters().algorithm(), pepper.preHash(id), note);
        }
        return parsed;
    }

    private @Nullable ParsedHash unpeppered(@Nullable ParsedHash parsed) {
        return pepper.currentId() != null && parsed instanceof ParsedHash.Checkable checkable
                ? checkable.withNote("hashed without a pepper")
                : parsed;
    }

    HashInfo identify(@Nullable String text) {
        ParsedHash parsed = text == null ? null : read(text);
        if (parsed instanceof ParsedHash.Refused refused) {
            return new HashInfo(refused.algorithm(), "", Standing.REFUSED, refused.reason());
        }
        if (!(parsed instanceof ParsedHash.Checkable checkable)) {
            return unrecognised;
        }
        Parameters parameters = checkable.parameters();
        String reason = reasonToReplace(parameters, checkable.note());
        Standing standing = reason.isEmpty() ? Standing.CURRENT : Standing.UPGRADE;
        return new HashInfo(parameters.algorithm(), parameters.costText(), standing, reason);
    }

    /** The reason for a replacement; empty if none is needed. */
    private String reasonToReplace(Parameters stored, String note) {
        if (stored.isAtLeast(written)) {
            return note;
        }
        if (stored.algorithm().equals(written.algorithm())) {
            return "costs less than " + written.costText();
        }
        return stored.isFast()
                ? "a fast digest: one computer tries a hundred million passwords a second and more"
                : "not " + written.algorithm();
    }
}
