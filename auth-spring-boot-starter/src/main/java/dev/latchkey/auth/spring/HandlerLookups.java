package dev.latchkey.auth.spring;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.web.servlet.handler.HandlerMappingIntrospector;

/**
 * Has Spring MVC find the handler of a request again, where it did for another dispatch than the request is shown as from here on.
 *
 * <p>Spring Security 6 has that done once per dispatch, before all its filters, and its request matchers use what was found. To
 * one who is shown another dispatch nothing was found: every matcher would search for itself, and the first one warn about it.
 * Spring Security 7 does not ask, and Spring MVC need not be there at all; then nothing is done here either.
 */
final class HandlerLookups {

    /** {@link HandlerMappingIntrospector}'s own, which only it understands. */
    private static final String FOUND =
            "org.springframework.web.servlet.handler.HandlerMappingIntrospector.CachedResult";

    private static final String INTROSPECTOR = "mvcHandlerMappingIntrospector";

    private final BeanFactory beans;

    HandlerLookups(BeanFactory beans) {
        this.beans = beans;
    }

    /**
     * What is asked about this request is answered for the dispatch that it shows.
     *
     * @return ends that, and is to be run in any case
     */
    Runnable showing(HttpServletRequest shown) {
        Object before = shown.getAttribute(FOUND);
        if (before == null) {
            return () -> {};
        }
        beans.getBean(INTROSPECTOR, HandlerMappingIntrospector.class).setCache(shown);
        return () -> shown.setAttribute(FOUND, before);
    }
}
