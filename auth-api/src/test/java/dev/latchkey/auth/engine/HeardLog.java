package dev.latchkey.auth.engine;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The log records of this package while the object is open: level and message, without a stack trace. */
final class HeardLog extends Handler implements AutoCloseable {

    private static final Logger LOGGER = Logger.getLogger(AuthChain.class.getPackageName());

    private final List<String> lines = new CopyOnWriteArrayList<>();

    HeardLog() {
        this(Level.INFO);
    }

    HeardLog(Level level) {
        LOGGER.addHandler(this);
        LOGGER.setLevel(level);
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public void publish(LogRecord line) {
        lines.add(line.getLevel() + " "
                + (line.getParameters() == null
                        ? line.getMessage()
                        : MessageFormat.format(line.getMessage(), line.getParameters())));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        LOGGER.removeHandler(this);
        LOGGER.setLevel(null);
    }
}
