package dev.latchkey.plugins.codes.spring;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** The bodies in Spring's server log at TRACE. */
final class PrintedBodies implements AutoCloseable {

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final List<Logger> loggers = Stream.of(
                    "org.springframework.web.servlet",
                    "org.springframework.web.reactive",
                    "org.springframework.http.codec.json")
            .map(name -> (Logger) LoggerFactory.getLogger(name))
            .toList();

    PrintedBodies() {
        lines.start();
        for (Logger logger : loggers) {
            logger.setLevel(Level.TRACE);
            logger.addAppender(lines);
        }
    }

    String text() {
        return String.join(
                "\n",
                lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList());
    }

    @Override
    public void close() {
        for (Logger logger : loggers) {
            logger.detachAppender(lines);
            logger.setLevel(null);
        }
    }
}
