package dev.latchkey.auth.spring.settings;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/**
 * The valid values under {@code latchkey.*}.
 *
 * <p>Without {@code @Validated}, which needs a validation provider on the class path and silently does nothing without a
 * provider.
 */
final class PropertyRules {

    private static final Pattern FIELD_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");

    /** Segments without dots alone, because no request has such a path. */
    private static final Pattern PATH = Pattern.compile("(/(?!\\.{1,2}(/|$))[^/*?{}#%;\\\\\\s\\p{Cntrl}]+)+");

    private PropertyRules() {}

    static void requireBetween(String property, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw outOfRange(property, text(value), text(least), text(most));
        }
    }

    static void requireBetween(String property, long value, long least, long most) {
        if (value < least || value > most) {
            throw outOfRange(property, Long.toString(value), Long.toString(least), Long.toString(most));
        }
    }

    /** A path of this service, as a filter matches paths: decoded and normalized, without a pattern. */
    static void requirePath(String property, String value) {
        if (!PATH.matcher(value).matches()) {
            throw new LatchkeyConfigurationException(
                    property + " is '" + value + "', which is no path",
                    "Write a path of this service that begins with a slash, ends without one and holds no pattern and no escape: /auth");
        }
    }

    /** The name of a header field (RFC 9110 sections 5.1 and 5.6.2), or nothing. */
    static void requireFieldName(String property, @Nullable String value) {
        if (value != null && !FIELD_NAME.matcher(value).matches()) {
            throw new LatchkeyConfigurationException(
                    property + " is no name of a header field",
                    "Write the name of one, such as X-Tenant, or leave it out.");
        }
    }

    /** A path that is not below another path. */
    static void requireOutside(String property, String path, String baseProperty, String base) {
        if ((path + "/").startsWith(base + "/")) {
            throw new LatchkeyConfigurationException(
                    property + " is '" + path + "', and lies below " + baseProperty + ", which is '" + base + "'",
                    "Set one of them to another path.");
        }
    }

    private static LatchkeyConfigurationException outOfRange(String property, String value, String least, String most) {
        return new LatchkeyConfigurationException(
                property + " is " + value + ", and must be from " + least + " to " + most,
                "Set " + property + " to a value from " + least + " to " + most + ", or leave it out.");
    }

    /** As in a configuration: {@code 90s}, {@code 1h}. */
    private static String text(Duration value) {
        if (value.isZero() || value.toNanosPart() != 0) {
            return DurationStyle.SIMPLE.print(value, ChronoUnit.MILLIS);
        }
        if (value.toSeconds() % 3600 == 0) {
            return DurationStyle.SIMPLE.print(value, ChronoUnit.HOURS);
        }
        return DurationStyle.SIMPLE.print(value, ChronoUnit.SECONDS);
    }
}
