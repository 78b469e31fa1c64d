package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.HeaderFields;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A request as plugins see the request: source, header fields, and the tenant from a header field. Immutable. */
public final class RequestContexts {

    private final @Nullable String tenantHeader;

    private RequestContexts(@Nullable String tenantHeader) {
        this.tenantHeader = tenantHeader;
    }

    /**
     * For the requests of a service with these properties.
     *
     * @param properties name the tenant's field; null for no field
     * @return for all requests of the service
     */
    public static RequestContexts of(@Nullable LatchkeyProperties properties) {
        return new RequestContexts(properties == null ? null : properties.tenantHeader());
    }

    /**
     * The context of a request.
     *
     * @param headers read on demand
     * @param address read when a plugin asks for the client IP
     * @return with a tenant if its field occurs once with a valid name
     */
    public RequestContext of(HeaderFields headers, Supplier<Optional<String>> address) {
        RequestContext context = RequestContext.of(headers::values, address);
        List<String> tenants = tenantHeader == null ? List.of() : headers.values(tenantHeader);
        return tenants.size() == 1 && RequestContext.isTenant(tenants.get(0))
                ? context.withTenant(tenants.get(0))
                : context;
    }
}
