package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.HeaderFields;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What plugins may know of a request: its source, its header fields, and the tenant that one of them names. Immutable. */
public final class RequestContexts {

    private final @Nullable String tenantHeader;

    private RequestContexts(@Nullable String tenantHeader) {
        this.tenantHeader = tenantHeader;
    }

    /**
     * For the requests of a service that is configured like this.
     *
     * @param properties name the field that holds the tenant; with null for the properties, no field does
     * @return for all requests of the service
     */
    public static RequestContexts of(@Nullable LatchkeyProperties properties) {
        return new RequestContexts(properties == null ? null : properties.tenantHeader());
    }

    /**
     * What plugins may know of a request with these header fields.
     *
     * @param headers read when somebody asks
     * @param address asked when a plugin asks
     * @return with a tenant where its field is there once and holds what can be one's name
     */
    public RequestContext of(HeaderFields headers, Supplier<Optional<String>> address) {
        RequestContext context = RequestContext.of(headers, address);
        List<String> tenants = tenantHeader == null ? List.of() : headers.values(tenantHeader);
        return tenants.size() == 1 && RequestContext.isTenant(tenants.get(0))
                ? context.withTenant(tenants.get(0))
                : context;
    }
}
