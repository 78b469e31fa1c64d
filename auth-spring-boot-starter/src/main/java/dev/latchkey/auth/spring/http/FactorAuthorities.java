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
 * How a login was proved, as Spring Security 7 writes it: {@code FACTOR_PASSWORD} for a password, {@code FACTOR_OTT} for a one-time code, and for any
 * other method {@code FACTOR_} and its name. Each has the time at which it was proved, so that a rule may refuse a proof that is too old. Spring
 * Security 6.5 has no such authorities; there they are plain ones.
 */
public final class FactorAuthorities {

    /** The name of Spring Security's class for these authorities, which is not there on 6.5. */
    public static final String TYPE = "org.springframework.security.core.authority.FactorGrantedAuthority";

    private static final @Nullable Method WITH_AUTHORITY = method(TYPE, "withAuthority", String.class);
    private static final @Nullable Method ISSUED_AT = method(TYPE + "$Builder", "issuedAt", Instant.class);
    private static final @Nullable Method BUILD = method(TYPE + "$Builder", "build");

    private FactorAuthorities() {}

    /**
     * An authority for each method that proved a login.
     *
     * @param factors the methods, and when they proved it
     * @return sorted by method; empty where nothing is known of how somebody logged in
     */
    public static List<GrantedAuthority> of(Factors factors) {
        return factors.methods().stream()
                .sorted()
                .map(method -> authority(nameOf(method), factors.at()))
                .toList();
    }

    /**
     * The name of a method's authority.
     *
     * @param method as {@link Factors} names it, such as {@link Factors#ONE_TIME_CODE}
     * @return {@code FACTOR_} and capitals, digits and underscores
     */
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

    /** Keeps in a native image the methods that are found by their names. */
    public static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            Stream.of(WITH_AUTHORITY, ISSUED_AT, BUILD)
                    .flatMap(Stream::ofNullable)
                    .forEach(method -> hints.reflection().registerMethod(method, ExecutableMode.INVOKE));
        }
    }
}
