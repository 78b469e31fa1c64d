package dev.latchkey.auth.test;

import static org.springframework.security.test.web.servlet.setup.SecurityMockMvcConfigurers.springSecurity;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import jakarta.servlet.Filter;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.core.ResolvableType;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.RequestBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

/**
 * The library behind Spring Security's filters and the filters around them. Made by hand, because Boot's own way to a {@code
 * MockMvc} moves between lines.
 */
final class LibraryMvc {

    /** Not this machine: for the limits, this machine may be a proxy. */
    static final String ELSEWHERE = "203.0.113.7";

    private final MockMvc mvc;

    LibraryMvc(WebApplicationContext context) {
        Filter[] registered = context.<FilterRegistrationBean<?>>getBeanProvider(
                        ResolvableType.forRawClass(FilterRegistrationBean.class))
                .orderedStream()
                .map(FilterRegistrationBean::getFilter)
                .toArray(Filter[]::new);
        this.mvc = MockMvcBuilders.webAppContextSetup(context)
                .addFilters(registered)
                .apply(springSecurity())
                .build();
    }

    MockMvc mvc() {
        return mvc;
    }

    MvcResult send(RequestBuilder request) throws Exception {
        return mvc.perform(request).andReturn();
    }

    int status(RequestBuilder request) throws Exception {
        return send(request).getResponse().getStatus();
    }

    MvcResult login(String password) throws Exception {
        return send(post("/auth/token")
                .with(request -> {
                    request.setRemoteAddr(ELSEWHERE);
                    return request;
                })
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"username\":\"ada\",\"password\":\"" + password + "\"}"));
    }

    /** A member of the answer to a login. */
    String loggedIn(String member) throws Exception {
        String body = login(LibrarySecurity.PASSWORD).getResponse().getContentAsString();
        return (String) JsonParserFactory.getJsonParser().parseMap(body).get(member);
    }
}
