package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.HeaderFields;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.LoginCookies;
import dev.latchkey.auth.spring.http.Problem;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request to an endpoint, the same on servlets and on WebFlux. Not a record, because a record prints its components, and a
 * body may contain a password.
 */
public final class EndpointRequest {

    /** The length of the longest accepted body. */
    public static final int MAX_BODY_BYTES = 8 * 1024;

    private final RequestContext context;
    private final Map<String, String> variables;
    private final @Nullable String query;
    private final byte[] body;
    private final @Nullable LoginCookies cookies;

    /**
     * A request with its endpoint.
     *
     * @param context the request for plugins, with its header fields
     * @param variables of the endpoint's path, decoded
     * @param query the part of the URL after the question mark, as sent; null without a query
     * @param body at most one byte more than {@link #MAX_BODY_BYTES}, so that the endpoint detects a longer body; not copied
     */
    public EndpointRequest(RequestContext context, Map<String, String> variables, @Nullable String query, byte[] body) {
        this(context, variables, query, body, null);
    }

    private EndpointRequest(
            RequestContext context,
            Map<String, String> variables,
            @Nullable String query,
            byte[] body,
            @Nullable LoginCookies cookies) {
        this.context = context;
        this.variables = variables;
        this.query = query;
        this.body = body;
        this.cookies = cookies;
    }

    /**
     * The same request, with tokens in cookies.
     *
     * @param cookies of the filter chain, which has checked the request's CSRF token
     * @return a changed copy
     */
    public EndpointRequest inCookies(LoginCookies cookies) {
        return new EndpointRequest(context, variables, query, body, cookies);
    }

    /** The cookies for the tokens of the answer; empty for tokens in the body. */
    Optional<LoginCookies> cookies() {
        return Optional.ofNullable(cookies);
    }

    /** The access token of a cookie; empty for a request without cookies. */
    Optional<String> carriedAccess() {
        return cookies().flatMap(carrier -> carrier.accessIn(headers()));
    }

    /** The refresh token of a cookie; empty for a request without cookies. */
    Optional<String> carriedRefresh() {
        return cookies().flatMap(carrier -> carrier.refreshIn(headers()));
    }

    /**
     * Whether {@code Content-Length} announces more than {@link #MAX_BODY_BYTES}. Do not read the body of such a request: a
     * client may send less than announced, and would get no answer until the server closes the connection.
     *
     * @param headers of the request
     * @return false without the header, and for a value that is not a number of at most 18 digits
     */
    public static boolean announcesTooMuch(HeaderFields headers) {
        return headers.values("Content-Length").stream()
                .filter(length -> length.matches("\\d{1,18}"))
                .anyMatch(length -> Long.parseLong(length) > MAX_BODY_BYTES);
    }

    HeaderFields headers() {
        return context::header;
    }

    /** The request for plugins. */
    RequestContext context() {
        return context;
    }

    /** The value of this variable in the path; empty without a value. */
    String variable(String name) {
        return variables.getOrDefault(name, "");
    }

    /** The part of the URL after the question mark, as sent; empty without a query. */
    Optional<String> query() {
        return Optional.ofNullable(query).filter(text -> !text.isEmpty());
    }

    /**
     * Answers a request by the fields of its body.
     *
     * @param answer the answer to the fields
     * @param refusal the answer to a problem: 415 for a body other than JSON or a form in UTF-8, 413 for a body over the limit,
     *     and 400 for a body in conflict with its media type
     */
    Answer withFields(Function<Map<String, String>, Answer> answer, Function<Problem, Answer> refusal) {
        Optional<BodyFormat> format = format();
        if (format.isEmpty()) {
            return refusal.apply(Problem.UNSUPPORTED_MEDIA_TYPE);
        }
        if (body.length > MAX_BODY_BYTES || announcesTooMuch(headers())) {
            return refusal.apply(Problem.CONTENT_TOO_LARGE);
        }
        return format.get().read(body).map(answer).orElseGet(() -> refusal.apply(Problem.BAD_REQUEST));
    }

    /** Whether the body has this field. For an unreadable body: whether the text contains the name. */
    boolean names(String field) {
        return format().flatMap(known -> known.read(body))
                .map(fields -> fields.containsKey(field))
                .orElseGet(() -> new String(body, StandardCharsets.ISO_8859_1).contains(field));
    }

    private Optional<BodyFormat> format() {
        List<String> types = headers().values("Content-Type");
        return types.size() == 1 && headers().values("Content-Encoding").isEmpty()
                ? BodyFormat.of(types.get(0))
                : Optional.empty();
    }
}
