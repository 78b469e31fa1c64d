package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.Factors;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The proofs of a login as authorities of Spring Security 7: {@code FACTOR_PASSWORD} for a password, {@code FACTOR_OTT} for a
 * one-time code, and for any other method {@code FACTOR_} and its name. Each authority has the time of its proof, so a rule may
 * reject an old proof. Spring Security 6.5 has no such authorities; there the authorities are plain.
 */
public final class FactorAuthorities {

    /** The class of Spring Security for these authorities, absent from 6.5. */
    private static final String TYPE = "org.springframework.security.core.authority.FactorGrantedAuthority";

    private static final String PREFIX = "FACTOR_";

    /** Spring Security 7 adds this factor to each request with a bearer token. The token proves nothing about the user's last login. */
    private static final String BEARER = "FACTOR_BEARER";

    /** As in {@link Factors}. */
    private static final int MOST = 8;

    private static final int LONGEST = 32;

    private static final @Nullable Method TIME = method(TYPE, "getIssuedAt");
    private static final @Nullable Method WITH_AUTHORITY = method(TYPE, "withAuthority", String.class);
    private static final @Nullable Method ISSUED_AT = method(TYPE + "$Builder", "issuedAt", Instant.class);
    private static final @Nullable Method BUILD = method(TYPE + "$Builder", "build");

    private FactorAuthorities() {}

    /**
     * An authority for each method of a login.
     *
     * @param factors the methods, and the time of the proof
     * @return sorted by method; empty if the methods are unknown
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
     * @param method as {@link Factors} names the method, such as {@link Factors#ONE_TIME_CODE}
     * @return {@code FACTOR_} and capitals, digits and underscores
     */
    public static String nameOf(String method) {
        return switch (method) {
            case Factors.PASSWORD -> "FACTOR_PASSWORD";
            case Factors.ONE_TIME_CODE -> "FACTOR_OTT";
            default -> "FACTOR_" + method.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
        };
    }

    /**
     * The proofs of a login, read from its authorities.
     *
     * @param login of Spring Security
     * @param unknown the time of an authority without a time: all authorities of Spring Security 6.5, and classes of the service
     * @return the methods, with the earliest time of the authorities; none if no authority is a factor. A bearer token is none
     */
    public static Factors in(Authentication login, Instant unknown) {
        Set<String> methods = new TreeSet<>();
        Instant at = Instant.MAX;
        for (GrantedAuthority authority : login.getAuthorities()) {
            String name = authority.getAuthority();
            if (name != null && isOne(name) && !name.equals(BEARER) && methods.size() < MOST) {
                methods.add(methodOf(name));
                Instant time = timeOf(authority, unknown);
                at = time.isBefore(at) ? time : at;
            }
        }
        return methods.isEmpty() ? Factors.none() : new Factors(methods, at);
    }

    /**
     * Whether an authority is a factor.
     *
     * @param authority its name
     * @return false for roles and scopes
     */
    public static boolean isOne(String authority) {
        return authority.startsWith(PREFIX);
    }

    /**
     * The names of authorities. Spring Security allows an authority that cannot be told as a text, and a subject has none without a
     * name.
     *
     * @param authorities of a login or of an account
     * @return without null and blank texts, in the same order
     */
    public static Stream<String> names(Collection<? extends GrantedAuthority> authorities) {
        return authorities.stream()
                .map(GrantedAuthority::getAuthority)
                .filter(Objects::nonNull)
                .filter(name -> !name.isBlank());
    }

    /**
     * The names of a login's authorities without Spring Security's factors. A proof is no authority of the account.
     *
     * @param login of a manager
     * @return without null and blank texts, in the same order
     */
    public static Stream<String> namesWithoutProofs(Authentication login) {
        return names(login.getAuthorities().stream()
                .filter(authority -> !authority.getClass().getName().equals(TYPE))
                .toList());
    }

    private static String methodOf(String name) {
        return switch (name) {
            case "FACTOR_PASSWORD" -> Factors.PASSWORD;
            case "FACTOR_OTT" -> Factors.ONE_TIME_CODE;
            default -> {
                String method =
                        name.substring(PREFIX.length()).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "_");
                yield method.isEmpty() ? "unknown" : method.substring(0, Math.min(LONGEST, method.length()));
            }
        };
    }

    private static Instant timeOf(GrantedAuthority authority, Instant unknown) {
        if (TIME == null || !authority.getClass().getName().equals(TYPE)) {
            return unknown;
        }
        try {
            return (Instant) TIME.invoke(authority);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("Spring Security does not tell the time of a factor", e);
        }
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

    /** Keeps the methods for reflection in a native image. */
    public static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            Stream.of(TIME, WITH_AUTHORITY, ISSUED_AT, BUILD)
                    .flatMap(Stream::ofNullable)
                    .forEach(method -> hints.reflection().registerMethod(method, ExecutableMode.INVOKE));
        }
    }
}
