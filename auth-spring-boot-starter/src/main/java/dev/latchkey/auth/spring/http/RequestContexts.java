package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.HeaderFields;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A request as plugins see the request: source, header fields, and the tenant from a header field. Immutable. */
public final class RequestContexts {

    private final String tenantHeader;

    private RequestContexts(String tenantHeader) {
        this.tenantHeader = tenantHeader;
    }

    /**
     * For the requests of a service with these properties.
     *
     * @param properties name the tenant's field; null for no field
     * @return for all requests of the service
     */
    public static RequestContexts of(@Nullable LatchkeyProperties properties) {
        String field = properties == null ? null : properties.tenantHeader();
        return new RequestContexts(Objects.requireNonNullElse(field, ""));
    }

    /**
     * The context of a request.
     *
     * @param headers read on demand
     * @param address read when a plugin asks for the client IP
     * @return with a tenant if its field occurs once with a valid name
     */
    public RequestContext of(HeaderFields headers, Supplier<Optional<String>> address) {
        return headers.context(tenantHeader, address);
    }
}
