package dev.latchkey.auth;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A plugin's view of the request with the credentials: the client's address, the header fields, and the requested
 * tenant. Plugins never see the body, and never the URL, because URLs end up in logs.
 *
 * <p>Without a request the context is {@link #none()}. Tests create a context in a line:
 *
 * <pre>{@code
 * RequestContext.from("192.0.2.7").withTenant("emea").withHeader("X-Device", "laptop")
 * }</pre>
 *
 * <p>Valid only during the call of the plugin, because a server may reuse its request objects: a plugin must not keep
 * the context. During the call the context is immutable and safe for use by any number of threads.
 */
public final class RequestContext {

    private static final int MAX_TENANT_LENGTH = 255;
    private static final RequestContext NONE = new RequestContext(Optional::empty, name -> List.of(), null);

    private final Supplier<Optional<String>> address;
    private final Function<String, List<String>> headers;
    private final @Nullable String tenant;

    private RequestContext(
            Supplier<Optional<String>> address, Function<String, List<String>> headers, @Nullable String tenant) {
        this.address = address;
        this.headers = headers;
        this.tenant = tenant;
    }

    /**
     * The context of credentials without a request, or of an unknown request.
     *
     * @return a context without address, header fields and tenant
     */
    public static RequestContext none() {
        return NONE;
    }

    /**
     * The context of a request from this address.
     *
     * @param address of the client, without a port; the caller of this method trusts the address
     * @return a context with this address alone
     */
    public static RequestContext from(String address) {
        Optional<String> known = Optional.of(address);
        return new RequestContext(() -> known, NONE.headers, null);
    }

    /**
     * The context of a request with these header fields.
     *
     * @param headers the values of the field with a name in any case; called when a plugin asks for the field
     * @param address finds the client's address; called when a plugin asks for the address
     * @return a context without a tenant
     */
    public static RequestContext of(Function<String, List<String>> headers, Supplier<Optional<String>> address) {
        return new RequestContext(Objects.requireNonNull(address), Objects.requireNonNull(headers), null);
    }

    /**
     * A copy for this tenant: a realm or a customer, to tell accounts with the same name apart.
     *
     * @param tenant a text for which {@link #isTenant} holds
     * @return another context
     * @throws IllegalArgumentException if the text is not a tenant
     */
    public RequestContext withTenant(String tenant) {
        if (!isTenant(tenant)) {
            throw new IllegalArgumentException("A tenant has 1 to " + MAX_TENANT_LENGTH
                    + " characters, is not blank and has no control characters");
        }
        return new RequestContext(address, headers, tenant);
    }

    /**
     * Whether {@link #withTenant} accepts this text.
     *
     * @param text from any caller
     * @return {@code false} if the text is blank, too long, or has control characters
     */
    public static boolean isTenant(String text) {
        return !text.isBlank()
                && text.length() <= MAX_TENANT_LENGTH
                && text.chars().noneMatch(Character::isISOControl);
    }

    /**
     * A copy with this header field. Earlier fields of the same name are replaced.
     *
     * @param name of the field, in any case
     * @param values a value for each line of the field; no values remove the field
     * @return another context
     */
    public RequestContext withHeader(String name, String... values) {
        List<String> given = List.of(values);
        Function<String, List<String>> others = headers;
        return new RequestContext(address, asked -> asked.equalsIgnoreCase(name) ? given : others.apply(asked), tenant);
    }

    /**
     * A copy without address and header fields, for caches with entries by tenant.
     *
     * @return equal for all requests of this tenant
     */
    public RequestContext tenantAlone() {
        return tenant == null ? NONE : NONE.withTenant(tenant);
    }

    /**
     * The client's IPv4 or IPv6 address, in the form of {@link java.net.InetAddress#getHostAddress()}. Behind proxies
     * the address is known only if the proxies are configured.
     *
     * @return empty if the address is unknown; never the shared address of a proxy
     */
    public Optional<String> address() {
        return address.get();
    }

    /**
     * The values of the header field with this name, in the order received. Read at the time of the call.
     *
     * @param name of the field, in any case
     * @return each line of the field as a separate value, not split at commas; empty if the request has no such field
     */
    public List<String> header(String name) {
        return headers.apply(name);
    }

    /**
     * The requested tenant, unproved.
     *
     * @return empty if the request names no tenant
     */
    public Optional<String> tenant() {
        return Optional.ofNullable(tenant);
    }

    /** Without the header fields, because header fields contain secrets. */
    @Override
    public String toString() {
        return "RequestContext[address=" + address().orElse("unknown") + ", tenant=" + tenant + "]";
    }
}
