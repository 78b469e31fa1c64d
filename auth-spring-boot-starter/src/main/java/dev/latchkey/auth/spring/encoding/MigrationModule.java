package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.password.PasswordEncoders;
import dev.latchkey.auth.password.hash.FurtherFormats;
import dev.latchkey.auth.password.migration.ForeignFormats;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.ClassUtils;

/** The foreign hash formats of {@code auth-password-migration}, if that module is on the class path. */
final class MigrationModule {

    static final String ARTIFACT = "dev.latchkey:auth-password-migration";

    private static final String ENTRANCE = "dev.latchkey.auth.password.migration.ForeignFormats";

    private MigrationModule() {}

    static boolean isPresent() {
        return ClassUtils.isPresent(ENTRANCE, null);
    }

    /** The encoders with the formats of the module, if present. */
    static PasswordEncoders addTo(PasswordEncoders encoders) {
        return isPresent() ? encoders.reading(Present.formats()) : encoders;
    }

    /** A native image finds only registered classes by name. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            hints.reflection().registerTypeIfPresent(classLoader, ENTRANCE);
        }
    }

    /** Separate, since its class is optional. */
    private static final class Present {

        static FurtherFormats formats() {
            return ForeignFormats.all();
        }
    }
}
