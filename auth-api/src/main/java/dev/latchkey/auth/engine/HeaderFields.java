package dev.latchkey.auth.engine;

import dev.latchkey.auth.RequestContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The header fields of a request, and nothing else. The URL is missing on purpose: a token in a URL ends up in logs and
 * caches (RFC 6750 section 5.3).
 */
@FunctionalInterface
public interface HeaderFields {

    /**
     * The values of the field with this name, in the order received.
     *
     * @param name of the field, in any case
     * @return each line of the field as a separate value, not split at commas; empty if the request has no such field
     */
    List<String> values(String name);

    /**
     * The context of a request with these fields.
     *
     * @param tenantField the name of the field with the tenant; empty if no field has a tenant
     * @param address finds the client IP; called when a plugin asks for the client IP
     * @return with a tenant if the field occurs once and has a valid tenant
     */
    default RequestContext context(String tenantField, Supplier<Optional<String>> address) {
        RequestContext context = RequestContext.of(this::values, address);
        List<String> tenants = tenantField.isEmpty() ? List.of() : values(tenantField);
        return tenants.size() == 1 && RequestContext.isTenant(tenants.get(0))
                ? context.withTenant(tenants.get(0))
                : context;
    }

    /**
     * The header fields of a framework that can only list all fields. Each look-up reads the list.
     *
     * @param fields calls its argument with the name and the values of each field, in any case of letters
     * @return the fields by name
     */
    static HeaderFields of(Consumer<BiConsumer<String, List<String>>> fields) {
        return name -> {
            List<String> values = new ArrayList<>();
            fields.accept((each, given) -> {
                if (each.equalsIgnoreCase(name)) {
                    values.addAll(given);
                }
            });
            return values;
        };
    }
}
