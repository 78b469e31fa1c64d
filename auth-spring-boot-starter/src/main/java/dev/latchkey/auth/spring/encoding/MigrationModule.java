package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.password.hash.FurtherFormats;
import dev.latchkey.auth.password.migration.ForeignFormats;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.ClassUtils;

/** The foreign hash formats of {@code auth-password-migration}, if that module is on the class path. */
final class MigrationModule {

    static final String ARTIFACT = "dev.latchkey:auth-password-migration";

    private static final String ENTRANCE = "dev.latchkey.auth.password.migration.ForeignFormats";

    private static final Logger LOG = LoggerFactory.getLogger(MigrationModule.class);

    private MigrationModule() {}

    static boolean isPresent() {
        return ClassUtils.isPresent(ENTRANCE, null);
    }

    static FurtherFormats formats() {
        return isPresent() ? Present.formats() : missing();
    }

    /** Reads no format, and warns once that the module is missing. Called for a stored hash of an unknown format. */
    private static FurtherFormats missing() {
        AtomicBoolean isSaid = new AtomicBoolean();
        return (own, permits) -> text -> {
            if (!text.isEmpty() && !isSaid.getAndSet(true)) {
                LOG.warn(
                        "A stored password hash is of no format that is read here, and matches no password. If another system has written"
                                + " it, add {} to the service: it has the formats of other systems",
                        ARTIFACT);
            }
            return null;
        };
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
