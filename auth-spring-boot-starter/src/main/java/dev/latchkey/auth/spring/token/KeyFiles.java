package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The files of the keys: a file for the signing key, and files for verifying keys. */
record KeyFiles(@Nullable Path signing, List<Path> verifying, KeyForm form) {

    static final KeyFiles NONE = new KeyFiles(null, List.of());

    KeyFiles {
        verifying = List.copyOf(verifying);
    }

    /** With keys in strict Base64. */
    KeyFiles(@Nullable Path signing, List<Path> verifying) {
        this(signing, verifying, KeyForm.STRICT);
    }

    static KeyFiles from(LatchkeyProperties.Jwt settings) {
        return new KeyFiles(settings.secretFile(), settings.verifyingSecretFiles(), KeyForm.of(settings));
    }

    boolean isEmpty() {
        return signing == null && verifying.isEmpty();
    }

    /**
     * The present content of the files.
     *
     * @param unread the signing key if there is no file for the signing key
     * @throws LatchkeyConfigurationException if a file has no usable key
     */
    Keys read(HmacKey unread) {
        List<HmacKey> others = new ArrayList<>();
        for (int i = 0; i < verifying.size(); i++) {
            String property = "latchkey.jwt.verifying-secret-files[" + i + "]";
            others.add(SigningKeys.fromFile(property, verifying.get(i), form));
        }
        return new Keys(signing == null ? unread : SigningKeys.fromFile("latchkey.jwt.secret", signing, form), others);
    }

    /** A class instead of a record, because keys are compared by content, not by identity. */
    static final class Keys {

        private final HmacKey signing;
        private final List<HmacKey> verifying;

        Keys(HmacKey signing, List<HmacKey> verifying) {
            this.signing = signing;
            this.verifying = List.copyOf(verifying);
        }

        HmacKey signing() {
            return signing;
        }

        List<HmacKey> verifying() {
            return verifying;
        }

        /** The same without these keys; the signing key must not be among them. */
        Keys verifyingWithout(Predicate<HmacKey> those) {
            return new Keys(signing, verifying.stream().filter(those.negate()).toList());
        }

        /** Also for closed keys: a file with a closed key has not changed. */
        static boolean areSame(HmacKey one, HmacKey other) {
            return one.algorithm() == other.algorithm() && one.hasSameBytesAs(other);
        }

        boolean areSameAs(Keys others) {
            if (!areSame(signing, others.signing) || verifying.size() != others.verifying.size()) {
                return false;
            }
            for (int i = 0; i < verifying.size(); i++) {
                if (!areSame(verifying.get(i), others.verifying.get(i))) {
                    return false;
                }
            }
            return true;
        }
    }
}
