package dev.latchkey.testsupport;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * The log of a class through {@code java.util.logging}, while the object is open; the log appears nowhere else
 * meanwhile.
 */
public final class LogLines extends Handler implements AutoCloseable {

    private final Logger logger;
    private final List<String> lines = new ArrayList<>();

    private LogLines(Class<?> of) {
        this.logger = Logger.getLogger(of.getName());
    }

    public static LogLines of(Class<?> logging) {
        LogLines lines = new LogLines(logging);
        lines.logger.setUseParentHandlers(false);
        lines.logger.addHandler(lines);
        return lines;
    }

    /** Each line has a level and a message, {@code WARNING: Something is wrong}. */
    public synchronized List<String> all() {
        return List.copyOf(lines);
    }

    @Override
    public synchronized void publish(LogRecord line) {
        if (line.getLevel().intValue() >= Level.INFO.intValue()) {
            lines.add(line.getLevel() + ": " + line.getMessage());
        }
    }

    @Override
    public void flush() {
        // Nothing is held back.
    }

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
