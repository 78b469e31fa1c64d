package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Where the keys are kept: one file for the key that signs, and any for keys that only verify. */
record KeyFiles(@Nullable Path signing, List<Path> verifying) {

    static final KeyFiles NONE = new KeyFiles(null, List.of());

    KeyFiles {
        verifying = List.copyOf(verifying);
    }

    static KeyFiles from(LatchkeyProperties.Jwt settings) {
        return new KeyFiles(settings.secretFile(), settings.verifyingSecretFiles());
    }

    boolean isEmpty() {
        return signing == null && verifying.isEmpty();
    }

    /**
     * What the files hold now.
     *
     * @param unread the key that signs where no file is named for it
     * @throws LatchkeyConfigurationException if one of them holds no usable key
     */
    Keys read(HmacKey unread) {
        List<HmacKey> others = new ArrayList<>();
        for (Path file : verifying) {
            others.add(SigningKeys.fromFile("latchkey.jwt.verifying-secret-files", file));
        }
        return new Keys(signing == null ? unread : SigningKeys.fromFile("latchkey.jwt.secret-file", signing), others);
    }

    /** No record: it is compared by what the keys are, not by which objects they are. */
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

        /** The same without those keys, of which the signing key is none. */
        Keys verifyingWithout(Predicate<HmacKey> those) {
            return new Keys(signing, verifying.stream().filter(those.negate()).toList());
        }

        boolean areSameAs(Keys others) {
            if (!signing.isSameKeyAs(others.signing) || verifying.size() != others.verifying.size()) {
                return false;
            }
            for (int i = 0; i < verifying.size(); i++) {
                if (!verifying.get(i).isSameKeyAs(others.verifying.get(i))) {
                    return false;
                }
            }
            return true;
        }
    }
}
