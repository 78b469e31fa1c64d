package dev.latchkey.plugins.codes.spring;

import dev.latchkey.plugins.codes.OneTimeCodes;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/** Refuses what {@link PasswordAlone} names, in a servlet service. */
final class PasswordAloneFilter extends OncePerRequestFilter implements Ordered {

    private final OneTimeCodes codes;

    PasswordAloneFilter(OneTimeCodes codes) {
        this.codes = codes;
    }

    @Override
    public int getOrder() {
        return PasswordAlone.AFTER_SECURITY;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Authentication login = SecurityContextHolder.getContext().getAuthentication();
        if (PasswordAlone.isByPassword(login) && codes.isEnrolled(login.getName())) {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, PasswordAlone.CHALLENGE);
            response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
        } else {
            chain.doFilter(request, response);
        }
    }
}
