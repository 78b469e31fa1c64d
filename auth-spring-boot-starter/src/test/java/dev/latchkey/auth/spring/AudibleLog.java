package dev.latchkey.auth.spring;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/** For tests about the log: an earlier service in this JVM may have turned the log off. */
public final class AudibleLog implements BeforeEachCallback, AfterEachCallback {

    @Override
    public void beforeEach(ExtensionContext context) {
        level(LogLevel.INFO);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        level(null);
    }

    private static void level(@Nullable LogLevel level) {
        LoggingSystem.get(AudibleLog.class.getClassLoader()).setLogLevel("dev.latchkey", level);
    }
}
