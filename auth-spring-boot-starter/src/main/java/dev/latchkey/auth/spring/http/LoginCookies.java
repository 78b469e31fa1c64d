package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.engine.HeaderFields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Carries tokens in cookies, for the front end of a browser: no script of the page can read them.
 *
 * <p>A request to an endpoint asks for cookies with the header field {@code Latchkey-Carrier: cookie}. Other clients of the same
 * filter chain get their tokens in the body. A browser sends cookies by itself, also for a page of another origin, so the filter
 * chain must have CSRF protection.
 *
 * <p>Both cookies have the prefix {@code __Host-} (RFC 6265bis section 4.1.3.2), so no subdomain can set them. They are {@code
 * Secure}, {@code HttpOnly} and {@code SameSite}. Immutable.
 */
public final class LoginCookies {

    private static final String CARRIER = "Latchkey-Carrier";
    private static final String COOKIE = "cookie";

    /** A part of a cookie's name (RFC 6265 section 4.1.1); short, because each request carries the name. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    /** RFC 6265 section 4.1.1, without quotes. */
    private static final Pattern VALUE = Pattern.compile("[!#-+\\--:<-\\[\\]-~]*");

    private static final Pattern LANDING = Pattern.compile("/([^/\\\\\\p{Cntrl}\\s][^\\\\\\p{Cntrl}\\s]*)?");

    /** Requests of other sites that carry the cookies. */
    public enum SameSite {
        /** None. A link of another site leads to the page without the login. */
        STRICT("Strict"),
        /** Links, and no forms or scripts. */
        LAX("Lax");

        private final String text;

        SameSite(String text) {
            this.text = text;
        }
    }

    private final String name;
    private final SameSite sameSite;
    private final String landing;

    private LoginCookies(String name, SameSite sameSite, String landing) {
        this.name = name;
        this.sameSite = sameSite;
        this.landing = landing;
    }

    /**
     * Cookies {@code __Host-<name>} and {@code __Host-<name>-refresh}, with {@code SameSite=Strict}.
     *
     * @param name of the service: services at one host need different names
     * @return without other settings
     * @throws IllegalArgumentException if the name has other characters than ASCII letters, digits, {@code _} and {@code -}, or
     *     is longer than 64
     */
    public static LoginCookies named(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "The name of the cookies must have 1 to 64 characters of A-Z, a-z, 0-9, _ and -");
        }
        return new LoginCookies(name, SameSite.STRICT, "/");
    }

    /**
     * Sets the requests of other sites that carry the cookies.
     *
     * @param sameSite the value of the attribute
     * @return a changed copy
     */
    public LoginCookies withSameSite(SameSite sameSite) {
        return new LoginCookies(name, Objects.requireNonNull(sameSite), landing);
    }

    /**
     * Sets the page after a login with redirects, such as OAuth2.
     *
     * @param path below the context path, such as {@code /app}; otherwise {@code /}
     * @return a changed copy
     * @throws IllegalArgumentException if the text is no path, or names another host
     */
    public LoginCookies withLanding(String path) {
        if (!LANDING.matcher(path).matches()) {
            throw new IllegalArgumentException("The page after a login must be a path such as /app");
        }
        return new LoginCookies(name, sameSite, path);
    }

    /**
     * Whether a request to an endpoint asks for cookies. A page of another origin cannot set the field without a preflight.
     *
     * @param headers of the request
     * @return true if the field is there once, with the value {@code cookie}
     */
    public static boolean areAskedBy(HeaderFields headers) {
        return headers.values(CARRIER).equals(List.of(COOKIE));
    }

    /**
     * The access token of a request.
     *
     * @param headers of the request
     * @return empty without the cookie, and with several of its name
     */
    public Optional<String> accessIn(HeaderFields headers) {
        return valueIn(headers, accessName());
    }

    /**
     * Whether a browser has added such a cookie to a request.
     *
     * @param headers of the request
     * @return also true beside other credentials
     */
    public boolean areIn(HeaderFields headers) {
        return accessIn(headers).isPresent() || refreshIn(headers).isPresent();
    }

    /**
     * The refresh token of a request.
     *
     * @param headers of the request
     * @return empty without the cookie, and with several of its name
     */
    public Optional<String> refreshIn(HeaderFields headers) {
        return valueIn(headers, refreshName());
    }

    /**
     * The cookie of an access token, for an answer of the service's own: after {@code StepUp} or {@code TokenIssuer} in a
     * controller.
     *
     * @param token in characters of a header field
     * @param lifetime of the token; the browser keeps the cookie as long
     * @return for the header field {@code Set-Cookie}; secret as the token
     */
    public String accessCookie(String token, Duration lifetime) {
        return cookie(accessName(), token, lifetime);
    }

    /**
     * The cookie of a refresh token.
     *
     * @param token in characters of a header field
     * @param lifetime the browser keeps the cookie as long
     * @return for the header field {@code Set-Cookie}; secret as the token
     */
    public String refreshCookie(String token, Duration lifetime) {
        return cookie(refreshName(), token, lifetime);
    }

    /**
     * Has the browser forget both cookies.
     *
     * @return each for a header field {@code Set-Cookie}
     */
    public List<String> removals() {
        return List.of(accessCookie("", Duration.ZERO), refreshCookie("", Duration.ZERO));
    }

    /**
     * The page after a login with redirects.
     *
     * @return a path on this host
     */
    public String landing() {
        return landing;
    }

    private String accessName() {
        return "__Host-" + name;
    }

    private String refreshName() {
        return "__Host-" + name + "-refresh";
    }

    private String cookie(String name, String value, Duration lifetime) {
        if (!VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException("The token has a character that no cookie can carry");
        }
        return name + "=" + value + "; Path=/; Max-Age=" + lifetime.toSeconds() + "; Secure; HttpOnly; SameSite="
                + sameSite.text;
    }

    /** Of several cookies with one name, each reader may choose another (RFC 6265 section 4.2.2 promises no order). */
    private static Optional<String> valueIn(HeaderFields headers, String name) {
        List<String> values = new ArrayList<>();
        for (String field : headers.values("Cookie")) {
            for (String pair : field.split(";", -1)) {
                String trimmed = pair.trim();
                if (trimmed.startsWith(name + "=")) {
                    values.add(trimmed.substring(name.length() + 1));
                }
            }
        }
        return values.size() == 1 && !values.get(0).isEmpty() ? Optional.of(values.get(0)) : Optional.empty();
    }
}
