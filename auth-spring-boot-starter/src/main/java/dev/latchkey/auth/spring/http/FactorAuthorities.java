package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.Factors;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * How a login was proved, as Spring Security 7 writes it: {@code FACTOR_PASSWORD} for a password, {@code FACTOR_OTT} for a one-time code,
 * and for any other method {@code FACTOR_} and its name. Each knows when it was proved, so that rules on its age hold; on Spring Security
 * 6.5, which has no such authorities, they are plain ones.
 */
public final class FactorAuthorities {

    /** Spring Security's own, which is compiled against where it may not be there. */
    public static final String TYPE = "org.springframework.security.core.authority.FactorGrantedAuthority";

    private static final @Nullable Method WITH_AUTHORITY = method(TYPE, "withAuthority", String.class);
    private static final @Nullable Method ISSUED_AT = method(TYPE + "$Builder", "issuedAt", Instant.class);
    private static final @Nullable Method BUILD = method(TYPE + "$Builder", "build");

    private FactorAuthorities() {}

    /** One for each method; none where nothing is known of how somebody logged in. */
    public static List<GrantedAuthority> of(Factors factors) {
        return factors.methods().stream()
                .sorted()
                .map(method -> authority(nameOf(method), factors.at()))
                .toList();
    }

    /** The authority for this method, as {@link Factors} names it. */
    public static String nameOf(String method) {
        return switch (method) {
            case Factors.PASSWORD -> "FACTOR_PASSWORD";
            case Factors.ONE_TIME_CODE -> "FACTOR_OTT";
            default -> "FACTOR_" + method.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
        };
    }

    private static GrantedAuthority authority(String name, Instant at) {
        if (WITH_AUTHORITY == null || ISSUED_AT == null || BUILD == null) {
            return new SimpleGrantedAuthority(name);
        }
        try {
            return (GrantedAuthority) BUILD.invoke(ISSUED_AT.invoke(WITH_AUTHORITY.invoke(null, name), at));
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("Spring Security refused the factor " + name, e);
        }
    }

    private static @Nullable Method method(String type, String name, Class<?>... parameters) {
        ClassLoader loader = FactorAuthorities.class.getClassLoader();
        return ClassUtils.isPresent(type, loader)
                ? ReflectionUtils.findMethod(ClassUtils.resolveClassName(type, loader), name, parameters)
                : null;
    }

    /** So that a native image has the methods that are found by their names. */
    public static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            Stream.of(WITH_AUTHORITY, ISSUED_AT, BUILD)
                    .flatMap(Stream::ofNullable)
                    .forEach(method -> hints.reflection().registerMethod(method, ExecutableMode.INVOKE));
        }
    }
}
