package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.password.hash.FurtherFormats;
import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.ParsedHash;
import dev.latchkey.auth.password.migration.ForeignFormats;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    /** A reason may name costs of the stored hash. */
    private static final int MOST_REASONS = 10;

    private static final Logger LOG = LoggerFactory.getLogger(MigrationModule.class);

    private MigrationModule() {}

    static boolean isPresent() {
        return ClassUtils.isPresent(ENTRANCE, null);
    }

    /**
     * The formats of the module, if present. Warns once for each reason why a stored hash matches no password: to its owner, each
     * password looks wrong.
     */
    static FurtherFormats formats() {
        FurtherFormats formats = isPresent() ? Present.formats() : (own, permits) -> text -> null;
        Set<String> said = ConcurrentHashMap.newKeySet();
        return (own, permits) -> {
            HashFormat all = formats.besides(own, permits);
            return text -> {
                ParsedHash read = all.read(text);
                if (!(read instanceof ParsedHash.Checkable) && !text.isEmpty()) {
                    warn(reason(read), said);
                }
                return read;
            };
        };
    }

    private static void warn(String reason, Set<String> said) {
        if (said.size() < MOST_REASONS && said.add(reason)) {
            LOG.warn("A stored password hash matches no password: {}", reason);
        }
    }

    private static String reason(@Nullable ParsedHash read) {
        if (read instanceof ParsedHash.Refused refused) {
            return refused.reason();
        }
        return "it is of no format that is read here"
                + (isPresent()
                        ? ""
                        : ". If another system has written it, add " + ARTIFACT
                                + " to the service: it has the formats of other systems");
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
