package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.HeaderFields;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request to an endpoint, the same on servlets and on WebFlux. No record, since a record prints its components, and a body may hold a password. */
public final class EndpointRequest {

    private final RequestContext context;
    private final Map<String, String> variables;
    private final @Nullable String query;
    private final byte[] body;

    /**
     * A request that was matched to its endpoint.
     *
     * @param context what plugins may know of it, its header fields among that
     * @param variables those of the endpoint's path, decoded
     * @param query the part of the URL after the question mark, as it was sent; null where there is none
     * @param body at most one byte more of it than the endpoint reads, so that it sees that there is too much; not copied
     */
    public EndpointRequest(RequestContext context, Map<String, String> variables, @Nullable String query, byte[] body) {
        this.context = context;
        this.variables = variables;
        this.query = query;
        this.body = body;
    }

    /**
     * Whether {@code Content-Length} announces more than an endpoint reads. The body of such a request need not be read: a client that sends less than
     * announced would get no answer before the server gives the connection up.
     *
     * @param maxBytes that the endpoint reads
     * @param headers of the request
     * @return false where the header is not there, or is no number
     */
    public static boolean announcesMoreThan(int maxBytes, HeaderFields headers) {
        return headers.values("Content-Length").stream()
                .filter(length -> length.matches("\\d{1,18}"))
                .anyMatch(length -> Long.parseLong(length) > maxBytes);
    }

    HeaderFields headers() {
        return context.headers();
    }

    /** What plugins may know of it. */
    RequestContext context() {
        return context;
    }

    /** What stands in the path for this variable; empty where nothing does. */
    String variable(String name) {
        return variables.getOrDefault(name, "");
    }

    /** The part of the URL after the question mark, as it was sent; empty where there is none. */
    Optional<String> query() {
        return Optional.ofNullable(query);
    }

    /**
     * What the function answers to the fields of the body. Where there are none it is a problem: 415 for what is neither JSON nor a form in UTF-8,
     * 413 for a body over the limit, 400 for one that is not what it says it is.
     */
    Answer withFields(int maxBytes, Function<Map<String, String>, Answer> answer) {
        List<String> types = headers().values("Content-Type");
        Optional<BodyFormat> format = types.size() == 1 ? BodyFormat.of(types.get(0)) : Optional.empty();
        if (format.isEmpty() || !headers().values("Content-Encoding").isEmpty()) {
            return Answer.of(Problem.UNSUPPORTED_MEDIA_TYPE);
        }
        if (body.length > maxBytes || announcesMoreThan(maxBytes, headers())) {
            return Answer.of(Problem.CONTENT_TOO_LARGE);
        }
        return format.get().read(body).map(answer).orElseGet(() -> Answer.of(Problem.BAD_REQUEST));
    }
}
